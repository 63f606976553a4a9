"""Rates that all processes share, kept in the database."""

import asyncio
from collections import deque

import structlog

from bot.errors import StoreError
from bot.ports.throttle import Rate
from bot.queueing.procrastinate.engine import Engine

PATIENCE = 1.0
"""Seconds for which the database is waited for. Whoever says too much then is told so by the platform."""

STALE = 1.0
"""Seconds after which a place that nobody used is given up."""

FARTHEST = 600.0
"""Seconds ahead that nothing is ever taken; what is farther was written before the server's clock was set back, and counts no more."""

_TAKE = """
INSERT INTO baku_rates AS known (name, free_at) VALUES (%(name)s, extract(epoch FROM clock_timestamp()) + %(cost)s)
ON CONFLICT (name) DO UPDATE SET free_at = %(cost)s + CASE
    WHEN known.free_at - extract(epoch FROM clock_timestamp()) BETWEEN 0 AND %(farthest)s THEN known.free_at
    ELSE extract(epoch FROM clock_timestamp())
END
RETURNING (free_at - extract(epoch FROM clock_timestamp()) - %(slack)s)::float8 AS pause
"""
"""The generic cell rate algorithm: taking places moves on the moment up to which all is taken, and waits while that is too far ahead."""

log = structlog.get_logger(__name__)


class SharedThrottle:
    """Fulfils `bot.ports.throttle.Throttle` over any number of processes. Its rows are not worth a log: a crash forgets them."""

    def __init__(self, engine: Engine, rate: Rate) -> None:
        self._engine = engine
        self._rate = rate
        self._lock = asyncio.Lock()
        self._waiting = 0
        self._taken: deque[float] = deque()
        """The moments of the places that are taken and nobody's yet."""

    async def wait(self) -> None:
        """Take the next place, and wait for it. Those who come while places are being taken get theirs together."""
        clock = asyncio.get_running_loop().time
        self._waiting += 1
        try:
            async with self._lock:
                while self._taken and self._taken[0] < clock() - STALE:
                    self._taken.popleft()  # of somebody who was cancelled
                if not self._taken:
                    self._taken.extend(clock() + pause for pause in await self._take(self._waiting))
                moment = self._taken.popleft()
        finally:
            self._waiting -= 1
        await asyncio.sleep(max(moment - clock(), 0.0))

    def another(self, rate: Rate) -> "SharedThrottle":
        """Return one for another rate."""
        return SharedThrottle(self._engine, rate)

    async def _take(self, count: int) -> list[float]:
        """Take places and return how long to wait for each of them."""
        cost = 1.0 / self._rate.per_second
        values = {"name": self._rate.name, "cost": count * cost, "slack": self._rate.burst * cost, "farthest": FARTHEST}
        try:
            async with asyncio.timeout(PATIENCE):
                (row,) = await self._engine.rows(_TAKE, values)
        except (StoreError, TimeoutError) as problem:
            log.warning("rate_unknown", rate=self._rate.name, problem=type(problem).__name__)
            return [0.0] * count
        return [float(row["pause"]) - later * cost for later in reversed(range(count))]
