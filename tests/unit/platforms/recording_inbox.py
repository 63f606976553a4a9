"""An inbox that keeps what an adapter hands in."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.command import Answer, Choice, Command, CommandCall
from bot.domain.message import IncomingMessage, MessageEdit, StoredMessage


@dataclass(slots=True)
class RecordingInbox:
    """Keeps messages, edits and calls, or raises the next of `faults` instead; answers commands with their own function."""

    commands: Sequence[Command] = ()
    heard: Sequence[StoredMessage] = ()
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
