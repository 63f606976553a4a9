"""An inbox that keeps what a Telegram adapter hands in, and a running adapter in front of the emulator."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.domain.command import Answer, Choice, Command, CommandCall
from bot.domain.message import IncomingMessage, MessageEdit, StoredMessage
from bot.platforms.telegram.adapter import TelegramPlatform
from bot.platforms.telegram.tuning import Tuning
from bot.platforms.telegram.webhook import Webhook
from tests.emulators.telegram.emulator import TelegramEmulator

IMPATIENT = Tuning(first_wait=0.01, longest_wait=0.05, typing=0.02, draft=0.0)


@dataclass(slots=True)
class RecordingInbox:
    """Keeps messages, edits and calls; raises the next of `faults` instead of taking a message."""

    commands: Sequence[Command] = ()
    faults: list[Exception] = field(default_factory=list)
    messages: asyncio.Queue[IncomingMessage] = field(default_factory=asyncio.Queue)
    edits: asyncio.Queue[MessageEdit] = field(default_factory=asyncio.Queue)
    calls: list[CommandCall] = field(default_factory=list)

    async def receive(self, message: IncomingMessage) -> None:
        if self.faults:
            raise self.faults.pop(0)
        await self.messages.put(message)

    async def edit(self, edit: MessageEdit) -> None:
        await self.edits.put(edit)

    async def last_heard(self, platform: str, *, limit: int) -> Sequence[StoredMessage]:
        return ()

    async def run_command(self, call: CommandCall) -> Answer:
        self.calls.append(call)
        return await next(command for command in self.commands if command.path == call.path).run(call)

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        return ()

    async def next_message(self) -> IncomingMessage:
        async with asyncio.timeout(5):
            return await self.messages.get()

    async def next_edit(self) -> MessageEdit:
        async with asyncio.timeout(5):
            return await self.edits.get()


def platform_for(
    telegram: TelegramEmulator, *, token: str | None = None, webhook: Webhook | None = None, tuning: Tuning = IMPATIENT
) -> TelegramPlatform:
    """Return an adapter that talks to the emulator."""
    return TelegramPlatform(token or telegram.token, api_base=telegram.api_base, webhook=webhook, tuning=tuning)


@asynccontextmanager
async def running(
    telegram: TelegramEmulator, inbox: RecordingInbox, platform: TelegramPlatform | None = None
) -> AsyncIterator[TelegramPlatform]:
    """Yield an adapter that is connected and asks for updates."""
    platform = platform or platform_for(telegram)
    task = asyncio.create_task(platform.run(inbox))
    try:
        await telegram.until(lambda: telegram.count("getUpdates") + telegram.count("setWebhook") > 0)
        yield platform
    finally:
        task.cancel()
        await asyncio.wait([task], timeout=5)
