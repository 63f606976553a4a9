"""What a monitor reads: the metrics of this process, and how much waits in the store."""

import asyncio

import structlog

from bot.domain.load import Backlog
from bot.errors import StoreError
from bot.ports.store import Pooled, Store
from bot.telemetry.prometheus import PrometheusMetrics

FRESH_SECONDS = 5.0
"""The store is asked no more often, however many monitors read."""
STORE_SECONDS = 2.0
MOST_COUNTED = 10_000
"""What waits beyond is not counted: the figure means that many or more."""

log = structlog.get_logger(__name__)


class MetricsPage:
    """Writes the page each time it is called."""

    def __init__(self, metrics: PrometheusMetrics, store: Store) -> None:
        self._metrics = metrics
        self._store = store
        self._asking = asyncio.Lock()
        self._asked_at = float("-inf")
        self._backlog: Backlog | None = None

    async def __call__(self) -> bytes:
        """Return the page. What waits is a few seconds old at most, or missing where the store does not answer."""
        async with self._asking:
            loop = asyncio.get_running_loop()
            if loop.time() - self._asked_at >= FRESH_SECONDS:
                self._backlog = await self._ask()
                self._asked_at = loop.time()
        store: object = self._store
        return self._metrics.page(self._backlog, store.connections_in_use if isinstance(store, Pooled) else 0)

    async def _ask(self) -> Backlog | None:
        try:
            async with asyncio.timeout(STORE_SECONDS), self._store.read() as tx:
                return await tx.line.backlog(most=MOST_COUNTED)
        except (StoreError, TimeoutError) as problem:
            log.warning("backlog_unknown", problem=type(problem).__name__)
            return None
