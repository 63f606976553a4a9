"""The engine of one process: its connections, its workers, and what it does for dead ones."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from procrastinate import App, PsycopgConnector
from psycopg import AsyncConnection

from bot.queueing.procrastinate.asking import Lane
from bot.queueing.procrastinate.jobs import PATIENCE, SteadyJobs, explained
from bot.queueing.procrastinate.pacing import Pacing
from bot.queueing.procrastinate.signals import Signals

CONNECTIONS = 6
"""Beside those of the store. A look needs one only for moments, at its beginning and its end."""
_CONNECT = {
    "application_name": "baku-queue",
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
_LEFT = "SELECT count(*) AS jobs FROM procrastinate_jobs WHERE queue_name = %(queue)s AND status IN ('todo', 'doing')"
_RUNNING = "SELECT lock FROM procrastinate_jobs WHERE status = 'doing' AND starts_with(lock, %(beginning)s)"
_ASKED = "SELECT 1 AS asked FROM procrastinate_jobs WHERE lock = %(lock)s AND status IN ('todo', 'doing') LIMIT 1"

log = structlog.get_logger(__name__)


class Engine:
    """Carries work between processes over the tables that the migrations made. Enter it before anything is asked of it."""

    def __init__(self, url: str, *, pacing: Pacing | None = None, connections: int = CONNECTIONS) -> None:
        """Take the address of the store's own database on PostgreSQL, as libpq reads it."""
        self.pacing = pacing or Pacing()
        self._connector = PsycopgConnector(conninfo=url, min_size=1, max_size=connections, timeout=5.0, kwargs=_CONNECT, configure=_set_up)
        self.jobs = SteadyJobs(self._connector, self.pacing)
        self.app = App(connector=self._connector)
        self.app.job_manager = self.jobs
        self.signals = Signals(self._connector, self.jobs)

    async def open(self) -> None:
        """Connect."""
        logging.getLogger("procrastinate").setLevel(logging.ERROR)  # it tells of each job, three times
        await self._connector.open_async()

    async def close(self) -> None:
        """Disconnect."""
        await self._connector.close_async()

    async def run(self) -> None:
        """Hear what other processes say until cancelled. Every process needs it that asks others, or is asked."""
        await self.signals.run()

    async def rescue(self) -> None:
        """Give what dead workers had to others, until cancelled. Every process needs it that has workers."""
        await self.jobs.through_outages("rescue", self._rescue)

    async def work(self, lane: Lane, *, parallel: int, listens: bool) -> None:
        """Do a lane's work until cancelled; what is running then and does not end in time is handed back."""
        patience = self.pacing.grace + PATIENCE
        await self.jobs.through_outages("work", lambda: self._work(lane, parallel, listens), patience=patience)

    async def execute(self, statement: str, values: Mapping[str, object]) -> None:
        """Run a statement of its own. Raises StoreError, as all that is asked of it by others."""
        await self.rows(statement, values)

    async def rows(self, query: str, values: Mapping[str, object]) -> list[dict[str, Any]]:
        """Return what a statement of its own gives. Raises StoreError."""
        with explained():
            rows: list[dict[str, Any]] = await self._connector.execute_query_all_async(query, **values)
        return rows

    async def running(self, lane: Lane, beginning: str) -> Sequence[str]:
        """Return what somebody looks at just now, of a lane, as far as it begins like that. Raises StoreError."""
        rows = await self.rows(_RUNNING, {"beginning": lane.lock(beginning)})
        return [lane.key(row["lock"]) for row in rows]

    async def is_asked(self, lane: Lane, key: str) -> bool:
        """Say whether a look at that is asked for or under way. Raises StoreError."""
        return bool(await self.rows(_ASKED, {"lock": lane.lock(key)}))

    async def left(self, lane: Lane) -> int:
        """Return how much is running or asked for. Raises StoreError."""
        return int((await self.rows(_LEFT, {"queue": lane.name}))[0]["jobs"])

    async def _work(self, lane: Lane, parallel: int, listens: bool) -> None:
        await self.app.run_worker_async(
            queues=[lane.name],
            name=lane.name,
            concurrency=parallel,
            fetch_job_polling_interval=self.pacing.poll,
            abort_job_polling_interval=3600.0,  # nothing is aborted in this way
            shutdown_graceful_timeout=self.pacing.grace if lane.ends_at_stop else 0.0,
            listen_notify=listens,
            install_signal_handlers=False,
            update_heartbeat_interval=self.pacing.heartbeat,
        )

    async def _rescue(self) -> None:
        while True:
            await self.jobs.rescue()
            await asyncio.sleep(self.pacing.rescue)


async def _set_up(connection: AsyncConnection) -> None:
    """Let each statement stand for itself, and wait for no disk: what a crash of the server forgets is only looked at once more."""
    await connection.set_autocommit(True)
    await connection.execute("SET synchronous_commit = off")
