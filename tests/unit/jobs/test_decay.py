"""Decay as a job leaves a record, and memories at the level that fading has left them."""

from dataclasses import replace

from bot.domain.job import DECAY, JobState
from bot.domain.memory import Level
from bot.jobs.decay import Decay
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.factories import a_memory, a_persona, a_scope

DAY = 86400.0


async def test_faded_memories_sink_and_the_record_counts_them(store: SqlStore) -> None:
    clock, scope = FrozenClock(), a_scope()
    async with store.write() as tx:
        for number, importance in enumerate((0.9, 0.3, 0.1), start=1):
            await tx.memories.add(replace(a_memory(f"fact {number}", number=number), importance=importance))
    clock.move(seconds=4 * DAY)

    record = await Decay(store, clock)(a_persona(), scope)

    async with store.read() as tx:
        levels = [memory.level for memory in await tx.memories.page(scope, limit=9)]
        kept = await tx.nights.last(DECAY, str(scope))
    assert levels == [Level.WORKING, Level.DEEP, Level.ARCHIVE]
    assert (record.state, record.counts) == (JobState.DONE, {"decayed": 2})
    assert kept == record


async def test_a_run_that_has_ended_is_not_done_again(store: SqlStore) -> None:
    clock = FrozenClock()
    async with store.write() as tx:
        await tx.memories.add(replace(a_memory("fact"), importance=0.1))
    clock.move(seconds=4 * DAY)

    first = await Decay(store, clock)(a_persona(), a_scope(), "tonight")
    clock.move(seconds=60.0)
    again = await Decay(store, clock)(a_persona(), a_scope(), "tonight")

    assert again == first
    async with store.read() as tx:
        assert len(await tx.nights.history(limit=9)) == 1
