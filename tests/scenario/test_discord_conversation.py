"""Whole conversations on Discord: real client, real sockets, real store."""

import asyncio

from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel, saying
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot


async def test_direct_message_is_answered_in_the_chat() -> None:
    model = ScriptedModel("Hello Ada!", "You said hi.")
    async with DiscordEmulator() as discord:
        ada = discord.person("Ada", discord.guild())
        chat = discord.dm(ada)

        async with discord_bot(discord, model):
            first = discord.member_says(chat, ada, "hi")
            answer = await discord.bot_says(chat)
            discord.member_says(chat, ada, "what did I say?")
            await discord.bot_says(chat, 2)

    assert (answer.content, answer.reply_to) == ("Hello Ada!", first)
    assert "hi" in model.prompts[1].text


async def test_mention_is_answered_in_the_channel_and_talk_of_others_is_not() -> None:
    model = ScriptedModel("Tea is ready.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada, bo = discord.person("Ada", guild), discord.person("Bo", guild)

        async with discord_bot(discord, model):
            discord.member_says(general, bo, "I put the kettle on")
            asked = discord.member_says(general, ada, f"{discord.bot.mention} is there tea?")
            answer = await discord.bot_says(general)

    assert (answer.content, answer.reply_to, answer.pinged) == ("Tea is ready.", asked, frozenset({f"user:{ada.id}"}))
    assert len(model.prompts) == 1
    assert "I put the kettle on" in model.prompts[0].text


async def test_thread_is_answered_in_the_thread_and_knows_nothing_of_the_channel() -> None:
    model = ScriptedModel("In the thread.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)
        thread = discord.thread(general, "tea", ada)

        async with discord_bot(discord, model):
            discord.member_says(general, ada, "said outside")
            discord.member_says(thread, ada, f"{discord.bot.mention} hello")
            answer = await discord.bot_says(thread)

    assert answer.content == "In the thread."
    assert discord.said_by_bot(general) == []
    assert "said outside" not in model.prompts[0].text


async def test_reply_to_the_bot_goes_on_without_a_mention() -> None:
    model = ScriptedModel("Tea?", "With milk, then.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)

        async with discord_bot(discord, model):
            discord.member_says(general, ada, f"{discord.bot.mention} I am thirsty")
            offer = await discord.bot_says(general)
            asked = discord.member_says(general, ada, "yes, with milk", reply_to=offer)
            answer = await discord.bot_says(general, 2)

    assert (answer.content, answer.reply_to) == ("With milk, then.", asked)


async def test_typing_shows_while_the_model_works() -> None:
    go_on = asyncio.Event()
    async with DiscordEmulator() as discord:
        ada = discord.person("Ada", discord.guild())
        chat = discord.dm(ada)

        async with discord_bot(discord, ScriptedModel("Done.", waits_for=go_on)):
            discord.member_says(chat, ada, "think hard")
            await discord.changes.until(lambda: discord.typing_in(chat), "typing")
            go_on.set()
            answer = await discord.bot_says(chat)

    assert answer.content == "Done."


async def test_long_answer_comes_in_order_with_its_code_whole() -> None:
    code = "\n".join(f"print({number})" for number in range(400))
    async with DiscordEmulator() as discord:
        ada = discord.person("Ada", discord.guild())
        chat = discord.dm(ada)

        async with discord_bot(discord, ScriptedModel(f"Here:\n```python\n{code}\n```\nThat is all.")):
            asked = discord.member_says(chat, ada, "show me")
            await discord.changes.until(lambda: any("That is all." in m.content for m in discord.said_by_bot(chat)), "the end")

    answers = discord.said_by_bot(chat)
    assert all(answer.content.count("```") == 2 for answer in answers)
    assert [line for answer in answers for line in answer.content.split("\n") if line.startswith("print")] == code.split("\n")
    assert [answer.reply_to for answer in answers] == [asked, *[None] * (len(answers) - 1)]


async def test_edit_of_an_answered_message_gets_no_second_answer() -> None:
    model = ScriptedModel("It is Monday.", "You are welcome.")
    async with DiscordEmulator() as discord:
        ada = discord.person("Ada", discord.guild())
        chat = discord.dm(ada)

        async with discord_bot(discord, model):
            asked = discord.member_says(chat, ada, "what dya is it")
            await discord.bot_says(chat)
            discord.member_edits(asked, "what day is it")
            discord.member_says(chat, ada, "thanks")
            await discord.bot_says(chat, 2)

    assert len(model.prompts) == 2
    assert "what day is it" in model.prompts[1].text


async def test_outage_while_answering_delays_the_answer() -> None:
    async with DiscordEmulator() as discord:
        ada = discord.person("Ada", discord.guild())
        chat = discord.dm(ada)

        async with discord_bot(discord, ScriptedModel("There you are.")):
            discord.lose_next_answer(path=f"/channels/{chat.id}/messages")
            discord.member_says(chat, ada, "hello?")
            await discord.changes.until(lambda: len(discord.calls_to("POST", f"/channels/{chat.id}/messages")) == 2, "a second try")

    assert [answer.content for answer in discord.said_by_bot(chat)] == ["There you are."]


async def test_message_written_while_the_bot_was_stopped_is_answered_after_the_start(database_url: str) -> None:
    model = ScriptedModel("First.", "Second.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)
        async with discord_bot(discord, model, database=database_url):
            discord.member_says(general, ada, f"{discord.bot.mention} one")
            await discord.bot_says(general)
        missed = discord.member_says(general, ada, f"{discord.bot.mention} two")

        async with discord_bot(discord, model, database=database_url):
            answer = await discord.bot_says(general, 2)

    assert (answer.content, answer.reply_to) == ("Second.", missed)


async def test_facts_are_listed_and_forgotten_by_slash_command() -> None:
    async with DiscordEmulator() as discord:
        ada = discord.person("Ada", discord.guild())
        chat = discord.dm(ada)

        async with discord_bot(discord, ScriptedModel()):
            await discord.slash(ada, chat, "memory add", text="I collect stamps").answer()
            listed = await discord.slash(ada, chat, "memory list").answer()
            asked = discord.slash(ada, chat, "memory forget", number=1)
            question = await asked.answer()
            await discord.click(ada, question, question.components[0]["components"][0]["label"]).acknowledgement()
            empty = await discord.slash(ada, chat, "memory list").answer()

    assert "I collect stamps" in listed.content
    assert listed.ephemeral
    assert question.components == []
    assert "I collect stamps" not in empty.content


async def test_persona_is_set_by_those_who_manage_the_server_only() -> None:
    cast = [a_persona("iris"), a_persona("otto", name="Otto")]
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        boss = discord.person("Boss", guild, roles=[discord.role(guild, "manager", Permission.MANAGE_GUILD)])
        ada = discord.person("Ada", guild)

        async with discord_bot(discord, ScriptedModel(saying("Hello, Otto here.")), personas=cast):
            refused = await discord.slash(ada, general, "persona use", persona="otto").answer()
            taken = await discord.slash(boss, general, "persona use", persona="otto").answer()
            shown = await discord.slash(ada, general, "persona show").answer()

    assert refused.ephemeral
    assert "Otto" in taken.content
    assert "Otto" in shown.content
