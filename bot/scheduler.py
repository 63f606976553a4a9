"""The bell: it rings for the night's work. The only module that knows APScheduler.

It knows neither jobs nor times of day: at every ring the work itself asks the store what is due. So it keeps nothing, and any number
of processes may have one.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot.ports.ending import heed_lost_cancellation

USUAL_PAUSE = timedelta(minutes=5)


class NightBell:
    """Rings at once and then at every pause."""

    def __init__(self, every: timedelta = USUAL_PAUSE) -> None:
        self._every = every

    async def run(self, ring: Callable[[], Awaitable[None]]) -> None:
        """Call `ring` until cancelled, one call at a time; all rings during a call lead to one more after it."""
        rung = asyncio.Event()
        async with self._ringing(rung):
            while True:
                await rung.wait()
                rung.clear()
                await ring()
                heed_lost_cancellation()

    @asynccontextmanager
    async def _ringing(self, rung: asyncio.Event) -> AsyncIterator[None]:
        """Set the event at once and at every pause, as long as the context is open."""

        async def toll() -> None:
            rung.set()

        scheduler = AsyncIOScheduler(timezone=UTC)
        trigger = IntervalTrigger(seconds=self._every.total_seconds(), timezone=UTC)
        # Without a grace time, a toll that comes late, after a suspend, is dropped.
        scheduler.add_job(toll, trigger, next_run_time=datetime.now(UTC), misfire_grace_time=None, coalesce=True, max_instances=1)
        scheduler.start()
        try:
            yield
        finally:
            scheduler.shutdown(wait=False)
            await asyncio.sleep(0)  # it stops its timer in the loop's next round
