"""An unfinished answer in a message that is edited as the answer grows, on platforms that show it no other way."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog

from bot.domain.message import Part
from bot.errors import DeliveryDelayed, DeliveryRefused
from bot.ports.ending import end
from bot.ports.platform import NotePosted

STOP_SECONDS = 3.0
"""How long an answer that is done waits for a post on its way, whose id would else be lost."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """When to show how much."""

    first: float
    """Seconds of writing before anything is posted: a quick answer comes as one message, whole."""
    every: float
    """Seconds between two edits."""
    least: int = 24
    """Characters that are worth a message."""


@dataclass(frozen=True, slots=True)
class NoDraft:
    """A Draft that nobody sees."""

    message_id: str = ""

    async def show(self, text: str) -> None:
        """Show nothing."""


@dataclass(slots=True)
class GrowingMessage:
    """A Draft in a message of its own. It gives up for this answer when the platform refuses it."""

    parts: Callable[[str], Sequence[Part]]
    """Cuts a text as the whole answer will be cut; of a long one only the first part is shown."""
    post: Callable[[Part], Awaitable[str]]
    """Sends a part and returns the message's id. Raises DeliveryDelayed or DeliveryRefused, as does `edit`."""
    edit: Callable[[str, Part], Awaitable[None]]
    """Puts a part in the message of that id."""
    posted: NotePosted
    pace: Pace
    message_id: str = ""
    _text: str = ""
    _shown: Part | None = None
    _has_more: asyncio.Event = field(default_factory=asyncio.Event)
    _posting: asyncio.Task[None] | None = None

    async def show(self, text: str) -> None:
        """Take the visible text so far; it is shown as soon as the pace allows."""
        if text.strip() and text != self._text:
            self._text = text
            self._has_more.set()

    @asynccontextmanager
    async def growing(self) -> AsyncIterator[None]:
        """Show what is taken, as long as the context is open; a post on its way is waited for, so that its id is known."""
        task = asyncio.create_task(self._grow())
        try:
            yield
        finally:
            await end(task)
            if not task.cancelled() and (problem := task.exception()):
                log.warning("draft_broke", problem=type(problem).__name__)
            if self._posting is not None:
                await asyncio.wait([self._posting], timeout=STOP_SECONDS)
                self._posting.cancel()
                await asyncio.gather(self._posting, return_exceptions=True)

    async def _grow(self) -> None:
        if not self.message_id:
            await asyncio.sleep(self.pace.first)
        while True:
            await self._has_more.wait()
            wait = self.pace.every
            try:
                await self._show(self._text)
            except DeliveryDelayed as delay:
                wait = max(wait, delay.retry_after)
            except DeliveryRefused as problem:
                log.info("draft_refused", problem=str(problem))
                return
            await asyncio.sleep(wait)

    async def _show(self, text: str) -> None:
        """Show as much of the text as a message holds; too little for a first one waits for more."""
        if not self.message_id and len(text) < self.pace.least:
            return
        part = next(iter(self.parts(text)), None)
        if part is not None and part != self._shown:
            await self._put(part)
            self._shown = part
        if text == self._text:
            self._has_more.clear()

    async def _put(self, part: Part) -> None:
        if self.message_id:
            await self.edit(self.message_id, part)
        else:
            self._posting = asyncio.create_task(self._post(part))
            await asyncio.shield(self._posting)

    async def _post(self, part: Part) -> None:
        self.message_id = await self.post(part)
        await self.posted(self.message_id)
