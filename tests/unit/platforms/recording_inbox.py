"""An inbox that keeps what an adapter hands in."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.chat import ConversationKey
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
    deleted: asyncio.Queue[tuple[ConversationKey, Sequence[str]]] = field(default_factory=asyncio.Queue)
    spaces: asyncio.Queue[tuple[str, str, str]] = field(default_factory=asyncio.Queue)
    """Spaces that the bot has left or joined, each with which of the two."""
    moves: list[tuple[str, str, str]] = field(default_factory=list)
    """Spaces that got another id: platform, old id, new id."""
    calls: list[CommandCall] = field(default_factory=list)

    async def receive(self, message: IncomingMessage) -> None:
        if self.faults:
            raise self.faults.pop(0)
        await self.messages.put(message)

    async def edit(self, edit: MessageEdit) -> None:
        await self.edits.put(edit)

    async def delete(self, conversation: ConversationKey, message_ids: Sequence[str]) -> None:
        await self.deleted.put((conversation, message_ids))

    async def left(self, platform: str, space_id: str) -> None:
        await self.spaces.put(("left", platform, space_id))

    async def joined(self, platform: str, *space_ids: str) -> None:
        for space_id in space_ids:
            await self.spaces.put(("joined", platform, space_id))

    async def moved(self, platform: str, old_id: str, new_id: str) -> None:
        self.moves.append((platform, old_id, new_id))

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

    async def prefill(self, call: CommandCall, option: str) -> str:
        command = next(command for command in self.commands if command.path == call.path)
        prefill = next(known.prefill for known in command.options if known.name == option)
        return await prefill(call) if prefill else ""

    async def next_message(self) -> IncomingMessage:
        async with asyncio.timeout(5):
            return await self.messages.get()

    async def next_deleted(self) -> tuple[ConversationKey, Sequence[str]]:
        async with asyncio.timeout(5):
            return await self.deleted.get()

    async def next_space(self) -> tuple[str, str, str]:
        async with asyncio.timeout(5):
            return await self.spaces.get()

    async def next_edit(self) -> MessageEdit:
        async with asyncio.timeout(5):
            return await self.edits.get()
