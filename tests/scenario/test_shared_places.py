"""Several personas in one place, through the real clients: each under its own name, with its own memory, and never to itself."""

from collections.abc import Sequence
from dataclasses import replace

from bot.app.app import App
from bot.domain.chat import DISCORD, TELEGRAM, ConversationKey, ConversationKind, MemoryScope, audience_of
from bot.domain.command import CommandCall
from bot.domain.message import Person
from bot.domain.persona import Avatar
from bot.storage.cards.png import plain_picture
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.discord_stage import discord_bot
from tests.scenario.telegram_stage import telegram_bot
from tests.scenario.test_streaming import BEGINNING, END, ON_DISCORD, ON_TELEGRAM, SlowModel

IRIS = a_persona(voice="You are Iris the florist.")
ROSE = a_persona("rose", name="Rose", voice="You are Rose the pirate.")
BOTH = (IRIS, ROSE)
BOSS = Person("1", "Boss")


async def does(app: App, place: ConversationKey, words: Sequence[str], /, **options: str) -> str:
    """Let an admin use a command in a place, and return what it says."""
    call = CommandCall(tuple(words), options, BOSS, place, ConversationKind.GROUP, asker_is_admin=True, confirmed=True)
    return (await app.inbox.run_command(call)).text


async def invites(app: App, place: ConversationKey) -> str:
    return await does(app, place, ("persona", "invite"), persona="rose", greet="no")


async def remembered(app: App, place: ConversationKey, persona_id: str) -> list[str]:
    scope = MemoryScope(persona_id, audience_of(place, ConversationKind.GROUP, ""))
    async with app.store.read() as tx:
        return [memory.text for memory in await tx.memories.page(scope, limit=9)]


async def test_two_personas_speak_under_their_own_names_on_discord_and_keep_their_own_memories() -> None:
    model = ScriptedModel("Arr!<mem_new>Ada hides gold on Elm Isle</mem_new>", "Roses.", "Aye, on Elm Isle.", "No gold here.")
    async with DiscordEmulator() as discord:
        guild = discord.guild(bot_permissions=Permission.MANAGE_WEBHOOKS)
        general, ada = discord.channel(guild), discord.person("Ada", guild)
        place = ConversationKey(DISCORD, str(guild.id), str(general.id))

        async with discord_bot(discord, model, personas=BOTH) as app:
            async with app.store.write() as tx:
                await tx.personas.set_avatar(DISCORD, str(guild.id), "rose", Avatar("image/png", plain_picture()))
            said = await invites(app, place)
            discord.member_says(general, ada, "Rose, I hide gold on Elm Isle")
            await discord.persona_says(general)
            discord.member_says(general, ada, f"{discord.bot.mention} what is in bloom?")
            await discord.persona_says(general, 2)
            first = next(each for each in general.messages if each.author.name == "Rose")
            await does(app, place, ("new",))
            discord.member_says(general, ada, "where is it?", reply_to=first)
            await discord.persona_says(general, 3)
            discord.member_says(general, ada, f"{discord.bot.mention} where is my gold?")
            await discord.persona_says(general, 4)
            kept = [await remembered(app, place, each) for each in ("iris", "rose")]

    assert "Manage Webhooks" not in said
    assert discord.said_by_personas(general) == [
        ("Rose", "Arr!"),
        ("Iris", "Roses."),
        ("Rose", "Aye, on Elm Isle."),
        ("Iris", "No gold here."),
    ]
    assert discord.said_by_bot(general) == []
    assert [each.avatar is not None for each in discord.world.webhooks.values()] == [True, False]
    assert kept == [[], ["Ada hides gold on Elm Isle"]]
    assert "Elm Isle</memory>" in model.prompts[2].text
    assert "hides gold" not in model.prompts[3].text


async def test_a_persona_without_the_right_has_its_name_above_and_answers_grow_either_way() -> None:
    async with DiscordEmulator() as discord:
        guild = discord.guild(bot_permissions=Permission.MANAGE_WEBHOOKS)
        role, ada = guild.members[discord.bot.id].roles[0], discord.person("Ada", guild)
        open_one, closed = discord.channel(guild, "open"), discord.channel(guild, "closed")
        model = SlowModel()

        async with discord_bot(discord, model, personas=BOTH, tuning=ON_DISCORD) as app:
            await invites(app, ConversationKey(DISCORD, str(guild.id), str(open_one.id)))
            discord.member_says(open_one, ada, "Rose, how is tea made?")
            assert await discord.persona_says(open_one) == ("Rose", BEGINNING.strip())
            role.permissions = Permission(0)
            said = await invites(app, ConversationKey(DISCORD, str(guild.id), str(closed.id)))
            discord.member_says(closed, ada, "Rose, and here?")
            draft = await discord.bot_says(closed)
            assert draft.content == f"**Rose**\n{BEGINNING}".strip()
            model.may_end.set()
            await discord.changes.until(lambda: draft.content.endswith(END), "the whole answer")
            await discord.changes.until(
                lambda: discord.said_by_bot(open_one) or discord.said_by_personas(open_one)[0][1].endswith(END), "it"
            )

    assert "**Manage Webhooks**" in said
    assert draft.content == f"**Rose**\n{BEGINNING}{END}"
    whole = [text for _, text in discord.said_by_personas(open_one)] + [each.content for each in discord.said_by_bot(open_one)]
    assert [text.removeprefix("**Rose**\n") for text in whole] == [BEGINNING + END]


async def test_on_telegram_a_name_stands_above_each_answer_and_a_reply_finds_its_persona() -> None:
    model = SlowModel()
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = True
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada)
        place = ConversationKey(TELEGRAM, str(group.id), str(group.id))

        async with telegram_bot(telegram, model, personas=BOTH, tuning=ON_TELEGRAM) as app:
            await invites(app, place)
            telegram.people.says(group, ada, "Rose, how is tea made?")
            draft = await telegram.next_reply(group)
            assert draft.text == f"Rose\n{BEGINNING}".strip()
            model.may_end.set()
            await telegram.until(lambda: draft.text.endswith(END))
            telegram.people.says(group, ada, "and then?", reply_to=draft)
            answer = await telegram.next_reply(group)
            telegram.people.says(group, ada, "@baku_bot and you?")
            other = await telegram.next_reply(group)
            await telegram.until(lambda: other.text.endswith(END))

    assert (draft.text, draft.spans) == (f"Rose\n{BEGINNING}{END}", [("bold", "Rose")])
    assert [each.text.partition("\n")[0] for each in (answer, other)] == ["Rose", "Iris"]


async def test_no_persona_answers_its_own_words_or_anothers_even_where_every_message_is_answered() -> None:
    model = ScriptedModel("Rose, what do you say?", "Iris, you first.")
    async with DiscordEmulator() as discord:
        guild = discord.guild(bot_permissions=Permission.MANAGE_WEBHOOKS)
        general, ada = discord.channel(guild), discord.person("Ada", guild)
        place = ConversationKey(DISCORD, str(guild.id), str(general.id))

        async with discord_bot(discord, model, personas=BOTH) as app:
            await invites(app, place)
            await does(app, place, ("speak", "mode"), value="every")
            await does(app, place, ("limits", "set"), name="bots", value="5")
            for number, text in enumerate(("hello all of you", "and Rose?"), 1):
                discord.member_says(general, ada, text)
                await discord.persona_says(general, number)
            await app.queue.idle()
            async with app.store.read() as tx:
                said = [line.text for line in await tx.messages.history(place, limit=20)]

    assert [name for name, _ in discord.said_by_personas(general)] == ["Iris", "Rose"]
    assert said == ["hello all of you", "Rose, what do you say?", "and Rose?", "Iris, you first."]


async def test_the_bots_name_in_a_server_follows_who_speaks_in_it_and_a_missing_right_is_named() -> None:
    long = replace(ROSE, name="Rose the Terrible, Queen of the Seven Seas")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        place = ConversationKey(DISCORD, str(guild.id), str(discord.channel(guild).id))
        me = guild.members[discord.bot.id]

        async with discord_bot(discord, ScriptedModel(), personas=(IRIS, long)) as app:
            on = await does(app, place, ("persona", "nickname"), switch="on")
            names = [me.nick]
            await does(app, place, ("persona", "use"), persona="rose", place="server", greet="no")
            names.append(me.nick)
            guild.everyone.permissions &= ~Permission.CHANGE_NICKNAME
            refused = await does(app, place, ("persona", "use"), persona="iris", place="server", greet="no")
            guild.everyone.permissions |= Permission.CHANGE_NICKNAME
            await does(app, place, ("persona", "nickname"), switch="off")
            names.append(me.nick)

    assert "I am **Iris** here now." in on
    assert names == ["Iris", "Rose the Terrible, Queen of the", None]
    assert "**Change Nickname**" in refused
