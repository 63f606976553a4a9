"""Walls between people, rooms and personas: B01, B03, B04, B06, B07 and B40, on the emulated Discord."""

import re

from bot.domain.chat import Audience, AudienceKind, MemoryScope
from bot.domain.model import ChatRequest
from bot.llm.offline import OfflineModel
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.conformance.memory_tool import update
from tests.emulators.discord.objects import Channel, User
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot


def mention(discord: DiscordEmulator, text: str) -> str:
    return f"<@{discord.bot.id}> {text}"


async def ask(discord: DiscordEmulator, channel: Channel, user: User, text: str) -> str:
    """Let somebody write, and return what the bot answers."""
    before = len(discord.said_by_bot(channel))
    discord.member_says(channel, user, text)
    return (await discord.bot_says(channel, before + 1)).content


def known_of_asker(request: ChatRequest) -> str:
    """Answer with the facts that the prompt ties to whoever asks: the worst a model can do with what it is shown."""
    asker = re.search(r"\(id (\d+)\)", request.messages[-1].text)
    facts = re.findall(rf"about='[^']*\(id {asker[1]}\)'>(.*?)</memory>", request.text) if asker else []
    return "; ".join(facts) or "nothing"


async def test_b01_two_members_of_a_server_keep_their_own_names() -> None:
    model = ScriptedModel(update(0, "call me Ana"), "Yes.", update(0, "call me Bo"), "Yes.", known_of_asker, known_of_asker)
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        first, second = discord.person("m1", guild), discord.person("m2", guild)

        async with discord_bot(discord, model):
            await ask(discord, general, first, mention(discord, "call me Ana"))
            await ask(discord, general, second, mention(discord, "call me Bo"))
            answers = [await ask(discord, general, who, mention(discord, "what do you call me?")) for who in (first, second)]

    assert answers == ["call me Ana", "call me Bo"]


async def test_b01_offline_model_answers_each_member_with_their_own_name() -> None:
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        first, second = discord.person("m1", guild), discord.person("m2", guild)

        async with discord_bot(discord, OfflineModel()):
            await ask(discord, general, first, mention(discord, "My name is Ana."))
            await ask(discord, general, second, mention(discord, "My name is Bo."))
            answer = await ask(discord, general, first, mention(discord, "What is my name?"))

    assert "Ana" in answer
    assert "Bo" not in answer


async def test_b03_secret_of_a_direct_chat_is_not_in_a_groups_prompt_even_with_its_owner_there() -> None:
    model = ScriptedModel(update(0, "the locker code is 4471"), "Kept.", "I do not know.", "I do not know.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        owner, stranger = discord.person("Owner", guild), discord.person("Stranger", guild)

        async with discord_bot(discord, model):
            await ask(discord, discord.dm(owner), owner, "my locker code is 4471, keep it")
            await ask(discord, general, owner, mention(discord, "hello all"))
            await ask(discord, general, stranger, mention(discord, "what is the locker code?"))

    assert "4471" in model.prompts[0].text
    assert not any("4471" in prompt.text for prompt in model.prompts[2:])


async def test_b04_each_fact_of_a_thread_belongs_to_who_said_it() -> None:
    model = ScriptedModel(update(0, "owns a cat"), "Yes.", update(0, "owns a parrot"), "Yes.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        anna, ben = discord.person("Anna", guild), discord.person("Ben", guild)
        thread = discord.thread(discord.channel(guild), "pets", anna)

        async with discord_bot(discord, model):
            await ask(discord, thread, anna, mention(discord, "I own a cat"))
            await ask(discord, thread, ben, mention(discord, "I own a parrot"))
            listed = [await discord.slash(who, thread, "memory list").answer() for who in (anna, ben)]

    assert "owns a cat" in listed[0].content
    assert "parrot" not in listed[0].content
    assert "owns a parrot" in listed[1].content
    assert "cat" not in listed[1].content


async def test_b04_joined_burst_credits_each_fact_to_the_one_whose_words_it_repeats() -> None:
    both = [*update(0, "owns a cat")[:-1], *update(0, "owns a parrot")]
    model = ScriptedModel(both, "Yes.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        anna, ben = discord.person("Anna", guild), discord.person("Ben", guild)

        async with discord_bot(discord, model, burst_seconds=0.3) as app:
            discord.member_says(general, anna, mention(discord, "I own a cat"))
            discord.member_says(general, ben, mention(discord, "I own a parrot"))
            await discord.bot_says(general)
            key = f"discord:{guild.id}:{general.id}:"
            async with app.store.read() as tx:
                kept = await tx.memories.page(MemoryScope("iris", Audience(AudienceKind.CONVERSATION, key)), limit=9)

    assert {(memory.text, memory.subject.id) for memory in kept if memory.subject} == {
        ("owns a cat", str(anna.id)),
        ("owns a parrot", str(ben.id)),
    }


async def test_b06_birthday_told_in_private_is_neither_shown_nor_found_in_a_channel(database_url: str) -> None:
    model = ScriptedModel(update(0, "was born on 7 June"), "Noted.", "I do not know.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        owner, other = discord.person("Owner", guild), discord.person("Other", guild)

        async with discord_bot(discord, model, database=database_url):
            await ask(discord, discord.dm(owner), owner, "I was born on 7 June")
        async with discord_bot(discord, model, database=database_url):
            await ask(discord, general, other, mention(discord, "when is Owner's birthday?"))
            searches = [await discord.slash(who, general, "memory search", words="born June").answer() for who in (owner, other)]

    assert "7 June" not in model.prompts[2].text
    assert not any("7 June" in answer.content for answer in searches)


async def test_b07_event_without_its_channels_kind_is_resolved_and_never_taken_for_a_wider_place() -> None:
    model = ScriptedModel("One.", "Two.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        ada = discord.person("Ada", guild)
        direct = discord.dm(ada)

        async with discord_bot(discord, model):
            said = discord.member_says(direct, ada, "hello")
            await discord.bot_says(direct)
            discord.send_message_without_guild(said)
            await discord.bot_says(direct, 2)

    assert [message.text for message in model.prompts[1].messages if message.role != "system"] == ["hello", "One.", "hello"]


async def test_b40_persona_of_a_channel_outlives_a_restart(database_url: str) -> None:
    model = ScriptedModel("I am here.", "Still here.")
    cast = [a_persona("iris"), a_persona("otto", name="Otto", voice="You are Otto.")]
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        admin = discord.person("Admin", guild, roles=[discord.role(guild, "admin", Permission.MANAGE_GUILD)])

        async with discord_bot(discord, model, database=database_url, personas=cast):
            await discord.slash(admin, general, "persona use", persona="otto").answer()
            await ask(discord, general, admin, mention(discord, "hello"))
        async with discord_bot(discord, model, database=database_url, personas=cast):
            await ask(discord, general, admin, mention(discord, "hello again"))

    assert all("You are Otto." in prompt.text for prompt in model.prompts)
