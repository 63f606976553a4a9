"""Decay moves memories to the level that fading has left them, and writes nothing else."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.memory import Level
from bot.memory.decay import BATCH, decay
from bot.storage.store import SqlStore
from tests.unit.memory.dream_stage import Sleeper


@pytest.fixture
def sleeper(store: SqlStore) -> Sleeper:
    return Sleeper(store)


async def fade(sleeper: Sleeper, run: str = "") -> int:
    return await decay(sleeper.store, sleeper.scope, sleeper.policy, at=sleeper.clock.now(), run=run)


async def test_only_levels_change_each_with_its_line_in_the_journal(sleeper: Sleeper) -> None:
    facts = [await sleeper.knows(f"fact {n}", importance=strength) for n, strength in enumerate((0.9, 0.2, 0.01))]

    sunk = await fade(sleeper, run="a run")

    levels = (Level.WORKING, Level.DEEP, Level.ARCHIVE)
    assert await sleeper.memories() == [replace(memory, level=level) for memory, level in zip(facts, levels, strict=True)]
    async with sleeper.store.read() as tx:
        entries = await tx.memories.journal_of_run(sleeper.scope, "a run")
    assert sunk == 2
    assert sorted((entry.number, entry.actor, entry.before, entry.after and entry.after.level) for entry in entries) == [
        (2, "decay", facts[1], Level.DEEP),
        (3, "decay", facts[2], Level.ARCHIVE),
    ]


async def test_memories_beyond_the_first_batch_sink_also_when_the_first_may_not(sleeper: Sleeper) -> None:
    used_at = sleeper.clock.now() - timedelta(hours=1)
    for number in range(BATCH + 2):
        await sleeper.knows(f"fact {number}", level=Level.DEEP, importance=0.0, used_at=used_at if number < BATCH else None)

    sunk = await fade(sleeper)

    assert sunk == 2
    assert [memory.level for memory in await sleeper.memories()] == [Level.DEEP] * BATCH + [Level.ARCHIVE] * 2


async def test_pinned_memories_stay_where_they_are(sleeper: Sleeper) -> None:
    pinned = await sleeper.knows("Ada likes tea", importance=0.0, pinned=True)

    assert await fade(sleeper) == 0
    assert await sleeper.memories() == [pinned]
