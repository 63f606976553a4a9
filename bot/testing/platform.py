"""A chat platform without a network: a test says what people write and reads what they get."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.domain.chat import DISCORD
from bot.domain.command import AnswerFile
from bot.domain.message import Part, ReplyTarget
from bot.ports.platform import Draft, Inbox, NotePosted

PART_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class Sent:
    """One part that was sent."""

    target: ReplyTarget
    text: str
    nonce: str
    message_id: str
    draft_id: str = ""
    """The draft whose place it took."""


class RecordingPlatform:
    """A Platform that keeps all it is asked to send. Faults put into `faults` are raised by the next sends, one each."""

    def __init__(self, name: str = DISCORD) -> None:
        self._name = name
        self.sent: list[Sent] = []
        self.drafts: list[str] = []
        self.posts_drafts = False
        self.withdrawn: list[str] = []
        self.reactions: list[tuple[str, str]] = []
        """Ids of messages, with the emoji."""
        self.sent_files: list[AnswerFile] = []
        self.composing_now = 0
        self.faults: list[Exception] = []
        self.sending = asyncio.Event()
        self.slow_sends: asyncio.Event | None = None
        self.connected = asyncio.Event()
        self.inbox: Inbox | None = None

    @property
    def name(self) -> str:
        """Return the platform of its conversations."""
        return self._name

    async def run(self, inbox: Inbox) -> None:
        """Stay connected until cancelled."""
        self.inbox = inbox
        self.connected.set()
        await asyncio.Event().wait()

    async def run_sending(self, inbox: Inbox) -> None:  # noqa: ARG002 - the port names it
        """Stay able to send until cancelled, and take nothing in."""
        self.connected.set()
        await asyncio.Event().wait()

    def parts(self, text: str) -> Sequence[Part]:
        """Return the text in pieces of 2,000 characters."""
        return [Part(text[start : start + PART_LENGTH]) for start in range(0, len(text), PART_LENGTH)] if text.strip() else []

    async def send(self, target: ReplyTarget, part: Part, *, nonce: str, draft_id: str = "") -> str:
        """Keep the part and return its id, once `slow_sends` is set if there is one; `sending` is set as soon as it is asked."""
        self.sending.set()
        if self.slow_sends is not None:
            await self.slow_sends.wait()
        if self.faults:
            raise self.faults.pop(0)
        sent = Sent(target, part.text, nonce, draft_id or f"sent-{len(self.sent) + 1}", draft_id)
        self.sent.append(sent)
        return sent.message_id

    async def send_file(self, target: ReplyTarget, file: AnswerFile, text: str, *, nonce: str = "") -> str:
        """Keep the file, and its text as what was sent."""
        message_id = await self.send(target, Part(text), nonce=nonce)
        self.sent_files.append(file)
        return message_id

    async def react(self, target: ReplyTarget, emoji: str) -> None:
        """Keep the reaction."""
        self.reactions.append((target.reply_to, emoji))

    @asynccontextmanager
    async def composing(self, target: ReplyTarget, *, draft_id: str = "", posted: NotePosted | None = None) -> AsyncIterator[Draft]:  # noqa: ARG002 - the port names it
        """Count who is shown that an answer is being written, and keep the drafts; they get an id when `posts_drafts` is set."""
        self.composing_now += 1
        try:
            yield _RecordedDraft(self, posted if self.posts_drafts else None, draft_id)
        finally:
            self.composing_now -= 1

    async def withdraw(self, target: ReplyTarget, draft_id: str) -> None:  # noqa: ARG002 - the port names it
        """Keep which draft was taken away."""
        self.withdrawn.append(draft_id)


@dataclass(slots=True)
class _RecordedDraft:
    platform: RecordingPlatform
    posted: NotePosted | None
    message_id: str

    async def show(self, text: str) -> None:
        self.platform.drafts.append(text)
        if self.posted is not None and not self.message_id and text.strip():
            self.message_id = f"draft-{len(self.platform.drafts)}"
            await self.posted(self.message_id)
