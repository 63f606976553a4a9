"""Programs that write to one store: real processes, forked from one that has imported everything already."""

import asyncio
import multiprocessing
import os
from itertools import count as numbers
from multiprocessing.context import ForkServerContext
from multiprocessing.synchronize import Barrier, Event
from uuid import uuid4

from bot.domain.memory import EditOrigin, Remember
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, a_scope

ORIGIN = EditOrigin("person:ada", uuid4().hex, ADA)


def writers() -> ForkServerContext:
    """Return what starts writers quickly."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def create_many(url: str, count: int, begin: Barrier) -> None:
    """Open the store, and create so many memories at once when all have come to the barrier."""
    asyncio.run(_create_many(url, count, begin))


def create_endlessly(url: str, started: Event) -> None:
    """Create memories, each with its line in the journal, until killed."""
    started.set()
    asyncio.run(_create_endlessly(url))


async def create(store: SqlStore, text: str) -> int:
    """Create one memory and return its number."""
    async with store.write() as tx:
        number = await tx.memories.reserve_number(a_scope())
        await MemoryEditor(tx, a_scope(), MemoryPolicy(), START).apply(Remember(number, text, ADA), ORIGIN)
    return number


async def _create_many(url: str, count: int, begin: Barrier) -> None:
    store = SqlStore(url)
    await store.open()
    await asyncio.to_thread(begin.wait)
    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(create(store, f"fact {number} of process {os.getpid()}"))
    await store.close()


async def _create_endlessly(url: str) -> None:
    store = SqlStore(url)
    await store.open()
    for number in numbers():
        await create(store, f"Ada likes tea number {number} of {os.getpid()}")
