"""Work that goes on only as long as something else does."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

from bot.ports.ending import end


@asynccontextmanager
async def alongside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Do the work as long as the context is open. What is raised inside comes out as it is; a TaskGroup would wrap it."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        await end(task)
