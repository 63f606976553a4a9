"""Admins bring a persona in from a card, let it speak, change it while it talks and take that back, on each platform."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from bot.app.app import App
from bot.domain.chat import DISCORD, TELEGRAM, ConversationKey, ConversationKind
from bot.domain.command import Answer, CommandCall, UploadedFile
from bot.domain.message import Person
from bot.domain.persona import Avatar, Persona
from bot.ports.persona_files import FileKind
from bot.storage.cards.persona_files import CardFiles
from bot.storage.cards.png import plain_picture
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.discord_stage import discord_bot
from tests.scenario.telegram_stage import telegram_bot

TOM = replace(a_persona("tom", name="Tom", voice="You sail.", greeting="Ahoy, all!"), instructions="Stay in character.")
PICTURE = Avatar("image/png", plain_picture())
BOSS = Person("1", "Boss")
LINES = ("Aye.", "Aye, gently.", "Aye.")
Ask = Callable[[str], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Office:
    """An admin who types commands in a place; forms and files are for the platforms' own tests."""

    app: App
    place: ConversationKey

    async def does(self, word: str, *, confirmed: bool = False, file: UploadedFile | None = None, **options: str) -> Answer:
        call = CommandCall(("persona", word), options, BOSS, self.place, ConversationKind.GROUP, asker_is_admin=True)
        return await self.app.inbox.run_command(replace(call, confirmed=confirmed, file=file))

    async def brings_in(self, persona: Persona) -> Answer:
        card = await CardFiles().write(persona, PICTURE, FileKind.PNG)
        shown = await self.does("import", file=UploadedFile(card.name, "image/png", card.content))
        assert shown.confirmation is not None
        return await self.does("import", persona=shown.confirmation.line.split()[-1], confirmed=True)


async def played(office: Office, asks: Ask, model: ScriptedModel) -> list[str]:
    """Play it through and return what Tom's voice was, from answer to answer; what goes out is what came in."""
    assert "`/persona use tom`" in (await office.brings_in(TOM)).text
    await office.does("use", persona="tom", place="server")
    said = [await asks("Hello?")]
    await office.does("edit", persona="tom", text="You sail gently.")
    said.append(await asks("And now?"))
    went = await office.does("export", persona="tom", kind="pack")
    await office.does("undo", persona="tom")
    said.append(await asks("And again?"))

    assert tuple(said) == LINES
    assert went.file is not None
    came = await CardFiles().read(UploadedFile("tom.zip", "", went.file.content))
    assert (replace(came.persona, card=""), came.avatar) == (replace(TOM, voice="You sail gently."), PICTURE)
    return [next(line for line in prompt.text.splitlines() if line.startswith("You sail")) for prompt in model.prompts]


async def test_a_persona_comes_in_speaks_and_changes_on_discord() -> None:
    model = ScriptedModel(*LINES)
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general, ada = discord.channel(guild), discord.person("Ada", guild)

        async with discord_bot(discord, model) as app:
            office = Office(app, ConversationKey(DISCORD, str(guild.id), str(general.id)))

            async def asks(text: str) -> str:
                if text == "Hello?":
                    assert (await discord.bot_says(general)).content == "Ahoy, all!"
                before = len(discord.said_by_bot(general))
                discord.member_says(general, ada, f"{discord.bot.mention} {text}")
                return (await discord.bot_says(general, before + 1)).content

            voices = await played(office, asks, model)

    assert voices == ["You sail.", "You sail gently.", "You sail."]


async def test_a_persona_comes_in_speaks_and_changes_on_telegram() -> None:
    model = ScriptedModel(*LINES)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada)

        async with telegram_bot(telegram, model) as app:
            office = Office(app, ConversationKey(TELEGRAM, str(group.id), str(group.id)))

            async def asks(text: str) -> str:
                if text == "Hello?":
                    assert (await telegram.next_reply(group)).text == "Ahoy, all!"
                telegram.people.says(group, ada, f"@baku_bot {text}")
                return (await telegram.next_reply(group)).text

            voices = await played(office, asks, model)

    assert voices == ["You sail.", "You sail gently.", "You sail."]
