"""Taking into an answer what is said while it is being written, as long as nobody has seen any of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from bot.conversation.running import Writing
from bot.errors import StoreError
from bot.ports.ending import end

log = structlog.get_logger(__name__)


@asynccontextmanager
async def joining(ring: asyncio.Event | None, has_more: Callable[[], Awaitable[bool]], writing: Writing) -> AsyncIterator[None]:
    """Let a writing begin anew when, at a ring, there is more to answer and it may; without a ring it never does."""
    if ring is None:
        yield
        return
    task = asyncio.create_task(_listen(ring, has_more, writing))
    try:
        yield
    finally:
        await end(task)


async def _listen(ring: asyncio.Event, has_more: Callable[[], Awaitable[bool]], writing: Writing) -> None:
    while True:
        await ring.wait()
        ring.clear()
        try:
            if await has_more() and writing.may_begin_anew:
                writing.begin_anew()
                return
        except StoreError as problem:
            log.warning("joining_left_out", problem=type(problem).__name__)
