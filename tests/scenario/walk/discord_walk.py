"""A tea house on the emulated Discord, with a bot, two members and somebody who manages it."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from bot.app.app import App
from bot.domain.persona import Persona
from bot.nlp.documents import PdfDocuments
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.discord.tuning import Tuning
from bot.ports.clock import Clock
from bot.ports.files import Transcriber
from bot.ports.model import ChatModel
from bot.testing.bot import PATIENCE, a_world, running
from tests.emulators.discord.clock import Clock as DiscordClock
from tests.emulators.discord.objects import Channel, Guild, Message, User
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.discord.sessions import Intent
from tests.scenario.discord_stage import IMPATIENT

_COMMAND = re.compile(r"</([^:>]+):\d+>")


@dataclass(frozen=True, slots=True)
class Walk:
    """Who is there, and what they do most."""

    discord: DiscordEmulator
    app: App
    guild: Guild
    general: Channel
    ada: User
    bo: User
    boss: User
    """Manages the server."""

    async def talk(self, who: User, text: str, place: Channel | None = None, *, reply_to: Message | None = None) -> Message:
        """Let somebody address the bot, in #general where no place is given, and return what it says to that."""
        place = place or self.general
        spoken = len(self.discord.said_by_bot(place))
        said = text if place.guild is None or reply_to is not None else f"{self.discord.bot.mention} {text}"
        self.discord.member_says(place, who, said, reply_to=reply_to)
        return await self.answered(place, spoken + 1)

    async def answered(self, place: Channel, count: int = 1) -> Message:
        """Wait until the bot has so many messages in a place and is done with them, and return the last."""
        message = await self.discord.bot_says(place, count)
        await self.quiet()
        return message

    async def run(self, who: User, line: str, place: Channel | None = None, /, **options: object) -> Message:
        """Let somebody use a slash command and return what they see."""
        return await self.discord.slash(who, place or self.general, line, **options).answer()

    async def choose(self, who: User, message: Message, entry: str) -> Message:
        """Let somebody choose an entry of a message's menu and return what they see."""
        return await self.discord.menu(who, message, entry).answer()

    async def press(self, who: User, message: Message, button: str) -> Message:
        """Let somebody press a button and return the message below which it stands, as it is then."""
        before = message.content
        pressed = self.discord.click(who, message, button)
        await self.discord.changes.until(lambda: message.content != before or pressed.messages, f"what {button!r} does")
        return message

    async def knows(self, text: str) -> None:
        """Wait until a message with that text is stored, as an edit is after a moment."""
        async with asyncio.timeout(PATIENCE):
            while not await self._has(text):
                continue

    async def _has(self, text: str) -> bool:
        async with self.app.store.read() as tx:
            return any(message.text == text for message in await tx.messages.last_heard("discord", limit=9))

    async def quiet(self) -> None:
        """Wait until the bot has nothing to do."""
        async with asyncio.timeout(PATIENCE):
            await self.app.queue.idle()


@asynccontextmanager
async def walk(
    model: ChatModel,
    *,
    personas: Sequence[Persona] = (),
    transcriber: Transcriber | None = None,
    tuning: Tuning = IMPATIENT,
    clock: Clock | None = None,
    discord_time: DiscordClock = time.time,
    hears_all: bool = True,
) -> AsyncIterator[Walk]:
    """Open the tea house, with the bot in it and its commands offered; `hears_all` is whether Discord lets it read what is said."""
    async with DiscordEmulator(discord_time) as discord:
        if not hears_all:
            discord.gateway.allowed_intents &= ~Intent.MESSAGE_CONTENT
        guild = discord.guild()
        general = discord.channel(guild)
        boss = discord.person("Boss", guild, roles=[discord.role(guild, "manager", Permission.MANAGE_GUILD)])
        ada, bo = discord.person("Ada", guild), discord.person("Bo", guild)
        platform = DiscordPlatform(discord.token, api_base=discord.api_base, gateway_url=discord.gateway_url, tuning=tuning)
        world = a_world(model, [platform], personas=personas, clock=clock)
        async with running(replace(world, documents=PdfDocuments(), transcriber=transcriber)) as app:
            await discord.connected()
            await discord.commands_registered()
            await discord.slash(boss, general, "stop").answer()  # meanwhile the bot has read what Discord says of its commands
            yield Walk(discord, app, guild, general, ada, bo, boss)


def labels(message: Message) -> list[str]:
    """Return what the buttons below a message say."""
    return [part["label"] for row in message.components for part in row["components"]]


def read(message: Message) -> str:
    """Return a message's text as people read it: mentions of commands show no ids, and code no backticks."""
    return _COMMAND.sub(r"/\1", message.content).replace("`", "")
