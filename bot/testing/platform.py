"""A chat platform without a network: a test says what people write and reads what they get."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.domain.chat import DISCORD
from bot.domain.message import Part, ReplyTarget
from bot.ports.platform import Inbox, ShowDraft

PART_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class Sent:
    """One part that was sent."""

    target: ReplyTarget
    text: str
    nonce: str
    message_id: str


class RecordingPlatform:
    """A Platform that keeps all it is asked to send. Faults put into `faults` are raised by the next sends, one each."""

    def __init__(self, name: str = DISCORD) -> None:
        self._name = name
        self.sent: list[Sent] = []
        self.drafts: list[str] = []
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

    def parts(self, text: str) -> Sequence[Part]:
        """Return the text in pieces of 2,000 characters."""
        return [Part(text[start : start + PART_LENGTH]) for start in range(0, len(text), PART_LENGTH)] if text.strip() else []

    async def send(self, target: ReplyTarget, part: Part, *, nonce: str) -> str:
        """Keep the part and return its id, once `slow_sends` is set if there is one; `sending` is set as soon as it is asked."""
        self.sending.set()
        if self.slow_sends is not None:
            await self.slow_sends.wait()
        if self.faults:
            raise self.faults.pop(0)
        sent = Sent(target, part.text, nonce, f"sent-{len(self.sent) + 1}")
        self.sent.append(sent)
        return sent.message_id

    @asynccontextmanager
    async def composing(self, target: ReplyTarget) -> AsyncIterator[ShowDraft]:  # noqa: ARG002 - the port names it
        """Count who is shown that an answer is being written, and keep the drafts."""
        self.composing_now += 1
        try:
            yield self._show
        finally:
            self.composing_now -= 1

    async def _show(self, text: str) -> None:
        self.drafts.append(text)
