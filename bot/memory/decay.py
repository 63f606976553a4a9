"""Decay: memories sink to the level that fading has left them. No importance is written, so it does not matter how often it runs."""

import asyncio
from datetime import datetime

from bot.domain.chat import MemoryScope
from bot.domain.fading import DAY, level_for
from bot.domain.memory import EditOrigin, Level, Memory, Settle
from bot.domain.message import Person
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.ports.store import Store

BATCH = 100
"""Memories a transaction, so that a chat never waits long."""
REST_SECONDS = 0.002
"""The pause after each, which is the chat's."""
NIGHT = Person("", "")
"""Nobody in particular: who changes memories at night."""


def used_lately(memory: Memory, now: datetime) -> bool:
    """Say whether a memory was used within the last day."""
    return memory.used_at is not None and now - memory.used_at <= DAY


def sunk(memory: Memory, policy: MemoryPolicy, now: datetime) -> Settle | None:
    """Return the level that a memory has sunk to, None when it stays. What was used within the last day is not archived."""
    level = level_for(memory, policy, now)
    if level is Level.ARCHIVE and memory.level < level and used_lately(memory, now):
        level = Level.DEEP
    return None if level is memory.level else Settle(memory.number, level)


async def decay(store: Store, scope: MemoryScope, policy: MemoryPolicy, *, at: datetime, run: str = "") -> int:
    """Let the memories of a scope sink, batch by batch, and return how many did."""
    deep = await _sink(store, scope, policy, level=Level.WORKING, threshold=policy.demote_below, at=at, run=run)
    return deep + await _sink(store, scope, policy, level=Level.DEEP, threshold=policy.archive_below, at=at, run=run)


async def _sink(store: Store, scope: MemoryScope, policy: MemoryPolicy, *, level: Level, threshold: float, at: datetime, run: str) -> int:
    origin = EditOrigin("decay", "faded", NIGHT, run=run)
    done, after, page_is_full = 0, 0, True
    while page_is_full:
        async with store.write() as tx:
            faded = await tx.memories.faded_below(scope, level, threshold, fading=policy.decay_per_day, now=at, after=after, limit=BATCH)
            sinking = {memory.number: edit.level for memory in faded if (edit := sunk(memory, policy, at))}
            editor = MemoryEditor(tx, scope, policy, at)
            for target in Level:
                await editor.sink([(memory, origin) for memory in faded if sinking.get(memory.number) is target], target)
        done += len(sinking)
        page_is_full = len(faded) == BATCH
        after = faded[-1].number if faded else after
        await asyncio.sleep(REST_SECONDS)
    return done
