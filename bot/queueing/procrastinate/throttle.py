"""Rates that all processes share, kept in the database."""

import asyncio

import structlog
from procrastinate.exceptions import ConnectorException

from bot.ports.throttle import Rate
from bot.queueing.procrastinate.engine import Engine

PATIENCE = 1.0
"""Seconds for which the database is waited for. Whoever says too much then is told so by the platform."""

_TAKE = """
INSERT INTO baku_rates AS known (name, free_at) VALUES (%(name)s, extract(epoch FROM clock_timestamp()) + %(cost)s)
ON CONFLICT (name) DO UPDATE SET free_at = greatest(known.free_at, extract(epoch FROM clock_timestamp())) + %(cost)s
RETURNING (free_at - extract(epoch FROM clock_timestamp()) - %(slack)s)::float8 AS pause
"""
"""The generic cell rate algorithm: each call moves on the moment up to which all is taken, and waits while that is too far ahead."""

log = structlog.get_logger(__name__)


class SharedThrottle:
    """Fulfils `bot.ports.throttle.Throttle` over any number of processes. Its rows are not worth a log: a crash forgets them."""

    def __init__(self, engine: Engine, rate: Rate) -> None:
        self._engine = engine
        self._rate = rate

    async def wait(self) -> None:
        """Take the next place, and wait for it."""
        rate = self._rate
        cost = 1.0 / rate.per_second
        try:
            async with asyncio.timeout(PATIENCE):
                (row,) = await self._engine.rows(_TAKE, {"name": rate.name, "cost": cost, "slack": rate.burst * cost})
        except (ConnectorException, TimeoutError) as problem:
            log.warning("rate_unknown", rate=rate.name, problem=type(problem).__name__)
            return
        if (pause := float(row["pause"])) > 0:
            await asyncio.sleep(pause)
