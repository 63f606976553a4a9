"""What processes tell one another at once and nobody keeps: over LISTEN and NOTIFY."""

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import structlog
from procrastinate.connector import BaseAsyncConnector

from bot.queueing.procrastinate.asking import SIGNALS
from bot.queueing.procrastinate.jobs import SteadyJobs, explained

Signal = Mapping[str, str]
Hear = Callable[[Signal], Awaitable[None]]

_SEND = f"SELECT pg_notify('{SIGNALS}', %(signal)s)"

log = structlog.get_logger(__name__)


class Signals:
    """A channel that every process hears, the one that speaks included. What is said while the database is away is lost."""

    def __init__(self, connector: BaseAsyncConnector, jobs: SteadyJobs) -> None:
        self._connector = connector
        self._jobs = jobs
        self._hearing: list[Hear] = []

    def hear(self, hear: Hear) -> None:
        """Let all that is said be heard there, too."""
        self._hearing.append(hear)

    async def send(self, signal: Signal) -> None:
        """Tell all processes. Raises StoreError."""
        with explained():
            await self._connector.execute_query_async(_SEND, signal=json.dumps(dict(signal)))

    async def run(self) -> None:
        """Listen until cancelled."""
        listen = partial(self._connector.listen_notify, on_notification=self._heard, channels=[SIGNALS])
        await self._jobs.through_outages("listen", listen)

    async def _heard(self, *, channel: str, payload: str) -> None:
        try:
            signal = {str(name): str(value) for name, value in dict(json.loads(payload)).items()}
            for hear in self._hearing:
                await hear(signal)
        except (TypeError, ValueError) as problem:  # of another release, or of somebody else
            log.warning("signal_not_understood", channel=channel, problem=type(problem).__name__)
