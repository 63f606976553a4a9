"""What platform adapters hand their events to: record first, then ask for a turn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from bot.conversation.threshold import Threshold
from bot.domain.command import Answer, Choice, Command, CommandCall
from bot.domain.message import Attachment, IncomingMessage, MessageEdit, MessageState, StoredMessage
from bot.domain.text import one_line
from bot.plugin.manager import PluginManager
from bot.ports.platform import CommandRunner
from bot.ports.queue import TurnQueue
from bot.ports.store import Store

FILE_CHARACTERS = 20_000
"""Characters of an attached text file that are kept."""
LONGEST_NAME = 100
"""Characters of a file's name, which its sender chose, that are kept."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ConversationInbox:
    """The Inbox of all platforms."""

    store: Store
    queue: TurnQueue
    plugins: PluginManager
    desk: CommandRunner
    threshold: Threshold

    @property
    def commands(self) -> Sequence[Command]:
        """Return all commands."""
        return self.desk.commands

    async def receive(self, message: IncomingMessage) -> None:
        """Store a message, and ask for a turn when it wants an answer."""
        async with self.store.write() as tx:
            decision = await self.threshold.decide(tx, message)
            state = MessageState.WAITING if decision.speaks else MessageState.HEARD
            stored = await tx.messages.record(replace(message, text=described(message)), state)
            rings = stored is not None and await self.threshold.settle(tx, message, decision)
        if stored is None:
            log.info("repeat_dropped", platform=message.conversation.platform)
            return
        log.info("message_recorded", platform=message.conversation.platform, row=stored.id, speaks=decision.speaks, reason=decision.reason)
        if rings:
            await self.queue.ring(message.conversation)
        await self.plugins.message_recorded(stored)

    async def last_heard(self, platform: str, *, limit: int) -> Sequence[StoredMessage]:
        """Return people's last stored message of each conversation of a platform, the newest first."""
        async with self.store.read() as tx:
            return await tx.messages.last_heard(platform, limit=limit)

    async def edit(self, edit: MessageEdit) -> None:
        """Change the stored text of a message. What was answered is not answered again."""
        async with self.store.write() as tx:
            known = await tx.messages.change_text(edit.conversation, edit.message_id, edit.text)
        log.info("message_edited", platform=edit.conversation.platform, known=known)

    async def run_command(self, call: CommandCall) -> Answer:
        """Return what the command says."""
        return await self.desk.run(call)

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        """Return choices for an option that is being typed."""
        return await self.desk.suggest(call, option, typed)


def described(message: IncomingMessage) -> str:
    """Return the text of a message with a line for each attachment, and what attached text files say."""
    return "\n".join(part for part in (message.text, *map(_described, message.attachments)) if part)


def _described(attachment: Attachment) -> str:
    name, kind = one_line(attachment.name, LONGEST_NAME), one_line(attachment.media_type, LONGEST_NAME) or "unknown kind"
    label = f"[attached: {name}, {kind}, {attachment.size_bytes:,} bytes]"
    if not attachment.text:
        return label
    kept = attachment.text[:FILE_CHARACTERS]
    cut = f"\n[… cut: only the first {FILE_CHARACTERS:,} characters were read]" if len(attachment.text) > FILE_CHARACTERS else ""
    return f"{label}\n{kept}{cut}"
