"""L31: ten thousand memories fade and are dreamt about while people chat."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from uuid import UUID

from bot.domain.job import JobState
from bot.domain.memory import Level, Memory
from bot.domain.persona import MemoryPolicy
from bot.memory.decay import decay
from bot.ports.store import Store
from bot.testing.bot import make_bot
from bot.testing.factories import ADA
from bot.testing.scripted_model import ScriptedModel
from tests.unit.memory.dream_stage import DAY, Sleeper

ROWS = 10_000
FAST = MemoryPolicy(decay_per_day=0.05)
TURNS = 15
"""How many are measured before the dream, and how many during it."""


async def fill(store: Store, sleeper: Sleeper) -> None:
    """Store memories of every strength, a day old."""
    at = sleeper.clock.now() - DAY
    for start in range(1, ROWS + 1, 500):
        memories = [
            Memory(UUID(int=number), sleeper.scope, number, f"fact {number}", ADA, ADA, (), at, at, Level.DEEP, number % 100 / 100)
            for number in range(start, start + 500)
        ]
        async with store.write() as tx:
            await tx.memories.add(*memories)


BUSY = 3
"""So many times longer may it take where other tests run beside it; `python -m benchmarks.dream` tells what it takes alone."""


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """Return how many seconds of wall time something takes."""
    before = time.perf_counter()
    await work()
    return time.perf_counter() - before


async def test_l31_ten_thousand_rows_fade_in_a_second_and_are_dreamt_about_while_a_reply_waits_hardly_longer(store_url: str) -> None:
    async with make_bot(ScriptedModel(*["Hello!"] * 200), database=store_url) as bot:
        sleeper = Sleeper(bot.store, FAST)
        await fill(bot.store, sleeper)
        alone = [await timed(lambda: bot.say("Hello")) for _ in range(TURNS)]

        begun = time.process_time()
        sunk = await decay(bot.store, sleeper.scope, FAST, at=sleeper.clock.now())
        decay_seconds = time.process_time() - begun
        dreaming = asyncio.create_task(sleeper.dreams())
        meanwhile = [await timed(lambda: bot.say("Hello")) for _ in range(TURNS)]
        report = await dreaming

    assert (sunk, decay_seconds <= 1) == (1000, True), "a tenth of them had faded below the archive's threshold"
    assert (report.record.state, report.counts["forgotten"]) == (JobState.DONE, 700)
    assert report.duration_seconds <= 10 * BUSY
    assert statistics.median(meanwhile) - statistics.median(alone) <= 0.1 * BUSY
