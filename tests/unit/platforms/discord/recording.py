"""An inbox that keeps what a Discord adapter hands in, and a running adapter in front of the emulator."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.domain.command import Answer, Choice, Command, CommandCall
from bot.domain.message import IncomingMessage, MessageEdit, StoredMessage
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.discord.tuning import Tuning
from tests.emulators.discord.server import DiscordEmulator

IMPATIENT = Tuning(
    request_seconds=5,
    acknowledge_seconds=0.05,
    outage_seconds=0.05,
    first_wait=0.01,
    longest_wait=0.05,
    identify_wait=0,
    servers_wait=0.5,
    close_seconds=0.5,
)


@dataclass(slots=True)
class RecordingInbox:
    """Keeps messages, edits and calls; answers commands with their own function."""

    commands: Sequence[Command] = ()
    heard: Sequence[StoredMessage] = ()
    messages: asyncio.Queue[IncomingMessage] = field(default_factory=asyncio.Queue)
    edits: asyncio.Queue[MessageEdit] = field(default_factory=asyncio.Queue)
    calls: list[CommandCall] = field(default_factory=list)

    async def receive(self, message: IncomingMessage) -> None:
        await self.messages.put(message)

    async def edit(self, edit: MessageEdit) -> None:
        await self.edits.put(edit)

    async def last_heard(self, platform: str, *, limit: int) -> Sequence[StoredMessage]:
        return self.heard[:limit]

    async def run_command(self, call: CommandCall) -> Answer:
        self.calls.append(call)
        return await next(command for command in self.commands if command.path == call.path).run(call)

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        self.calls.append(call)
        command = next(command for command in self.commands if command.path == call.path)
        suggest = next(known.suggest for known in command.options if known.name == option)
        return await suggest(call, typed) if suggest else ()

    async def next_message(self) -> IncomingMessage:
        async with asyncio.timeout(5):
            return await self.messages.get()

    async def next_edit(self) -> MessageEdit:
        async with asyncio.timeout(5):
            return await self.edits.get()


def platform_for(emulator: DiscordEmulator, *, token: str | None = None, tuning: Tuning = IMPATIENT) -> DiscordPlatform:
    """Return an adapter that talks to the emulator."""
    return DiscordPlatform(token or emulator.token, api_base=emulator.api_base, gateway_url=emulator.gateway_url, tuning=tuning)


@asynccontextmanager
async def running(
    emulator: DiscordEmulator, inbox: RecordingInbox, platform: DiscordPlatform | None = None
) -> AsyncIterator[DiscordPlatform]:
    """Yield an adapter that is connected and has offered its commands."""
    platform = platform or platform_for(emulator)
    task = asyncio.create_task(platform.run(inbox))
    try:
        await emulator.connected()
        if inbox.commands:
            await emulator.commands_registered()
        yield platform
    finally:
        task.cancel()
        await asyncio.wait([task], timeout=5)
