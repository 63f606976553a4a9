"""Procrastinate's jobs, kept through outages of the database and never touched by a worker that has lost them."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

import structlog
from procrastinate.connector import BaseAsyncConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager, NotificationCallback
from typing_extensions import override

from bot.errors import StoreError
from bot.ports.ending import end, heed_lost_cancellation
from bot.queueing.procrastinate.pacing import Pacing

PAUSE = 0.5
"""Seconds between two tries while the database is out of reach."""
PATIENCE = 3.0
"""Seconds for which the end of a look is tried to be noted; what is not noted is looked at once more, and found done."""

_FETCH = "SELECT * FROM baku_fetch_job(%(queues)s::varchar[], %(worker)s)"
_BEAT = """
INSERT INTO procrastinate_workers (id, last_heartbeat) OVERRIDING SYSTEM VALUE VALUES (%(worker)s, now())
ON CONFLICT (id) DO UPDATE SET last_heartbeat = now() RETURNING xmax = 0 AS was_buried
"""
"""A row that had to be made anew was taken away by others, who thought the worker dead."""
_END = "DELETE FROM procrastinate_jobs WHERE id = %(job)s AND worker_id = %(worker)s AND status = 'doing'"
_HAND_BACK = """
UPDATE procrastinate_jobs SET status = 'todo', worker_id = NULL, attempts = attempts + 1,
    scheduled_at = now() + make_interval(secs => %(pause)s)
WHERE id = %(job)s AND worker_id = %(worker)s AND status = 'doing'
"""
_RESCUE = """
UPDATE procrastinate_jobs SET status = 'todo', worker_id = NULL, attempts = attempts + 1, scheduled_at = NULL
WHERE status = 'doing' AND pg_postmaster_start_time() < now() - make_interval(secs => %(settled)s) AND (
    worker_id IS NULL
    OR worker_id IN (
        SELECT id FROM procrastinate_workers
        WHERE last_heartbeat < now() - make_interval(secs => %(dead)s) AND NOT id = ANY(%(own)s)
    )
)
RETURNING id
"""
"""After a restart of the database, workers get time to show that they live. Those of this process that live let go by themselves."""
_BURY = """
DELETE FROM procrastinate_workers WHERE last_heartbeat < now() - make_interval(secs => %(dead)s)
AND pg_postmaster_start_time() < now() - make_interval(secs => %(settled)s) AND NOT id = ANY(%(own)s)
"""
_HELD = "SELECT id, worker_id FROM procrastinate_jobs WHERE status = 'doing' AND worker_id = ANY(%(workers)s)"

log = structlog.get_logger(__name__)


class SteadyJobs(JobManager):
    """What workers need of the tables. A worker whose database is away for a moment goes on; one that is away too long lets go."""

    def __init__(self, connector: BaseAsyncConnector, pacing: Pacing) -> None:
        super().__init__(connector)
        self._pacing = pacing
        self._beats: dict[int, float] = {}
        """When each worker of this process last reached the database."""
        self._held: set[int] = set()
        """What workers of this process have, from its fetching until its end is noted."""
        self._forgotten: set[int] = set()
        self._silent: set[int] = set()
        self.let_go: list[Callable[[], None]] = []
        """Called when others may soon take over what runs here."""

    @override
    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """Return a job to do; None when there is none, or while the database is out of reach."""
        try:
            row = await self.connector.execute_query_one_async(_FETCH, queues=queues, worker=worker_id)
        except ConnectorException as problem:
            log.warning("queue_out_of_reach", doing="fetch", problem=_said(problem))
            return None
        if row["id"] is None:
            return None
        self._held.add(row["id"])
        return Job.from_row(row)

    @override
    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        """Note that a look has ended. One that was taken over meanwhile is no longer ours to end."""
        await self._end(job, partial(self._run, _END, job=job.id, worker=job.worker_id))

    @override
    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Let somebody look again, at that time or at once."""
        pause = (retry_at - datetime.now(UTC)).total_seconds() if retry_at else None  # clocks of machines differ: the database's counts
        await self._end(job, partial(self._run, _HAND_BACK, job=job.id, worker=job.worker_id, pause=pause))

    @override
    async def register_worker(self) -> int:
        """Return the id of a new worker."""
        worker_id = await super().register_worker()
        self._beats[worker_id] = time.monotonic()
        return worker_id

    @override
    async def unregister_worker(self, worker_id: int) -> None:
        """Forget a worker."""
        self._beats.pop(worker_id, None)
        await super().unregister_worker(worker_id)

    @override
    async def update_heartbeat(self, worker_id: int) -> None:
        """Show that a worker lives. When that was not shown for too long, it lets go of all that it does: others may have that."""
        silent = time.monotonic() - self._beats[worker_id]
        if silent > self._pacing.let_go_after:
            self._let_go("silent", silent)  # this process was stopped for a while
        try:
            async with asyncio.timeout(self._pacing.heartbeat):
                (row,) = await self._rows(_BEAT, worker=worker_id)
        except (ConnectorException, TimeoutError) as problem:
            silent = time.monotonic() - self._beats[worker_id]
            log.warning("queue_out_of_reach", doing="heartbeat", seconds=round(silent, 1), problem=_said(problem))
            if silent + 2 * self._pacing.heartbeat > self._pacing.let_go_after:
                self._let_go("out of reach", silent)
            return
        if row["was_buried"]:
            self._let_go("taken for dead", silent)
        self._beats[worker_id] = time.monotonic()
        heed_lost_cancellation()

    @override
    async def prune_stalled_workers(self, seconds_since_heartbeat: float) -> list[int]:
        """Return nothing: `rescue` does that, with more care after a restart of the database."""
        return []

    @override
    async def listen_for_jobs(self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None) -> None:
        """Listen for new jobs until cancelled."""
        listen = partial(super().listen_for_jobs, on_notification=on_notification, queues=queues)
        await self.through_outages("listen", listen)

    async def rescue(self) -> int:
        """Give what dead workers had to others, and what a broken connection has swallowed on its way here; return how much that was."""
        settled = {"dead": self._pacing.dead_after, "settled": 2 * self._pacing.heartbeat + 2, "own": self._living()}
        rescued = [row["id"] for row in await self._rows(_RESCUE, **settled)]
        await self._run(_BURY, **settled)
        held = await self._rows(_HELD, workers=list(self._beats))
        unknown = {row["id"]: row["worker_id"] for row in held if row["id"] not in self._held}
        for job_id in unknown.keys() & self._forgotten:  # twice in a row: it is not just being fetched
            await self._run(_HAND_BACK, job=job_id, worker=unknown[job_id], pause=None)
            rescued.append(job_id)
        self._forgotten = set(unknown)
        if rescued:
            log.warning("looks_taken_over", looks=len(rescued))
        return len(rescued)

    async def through_outages(self, doing: str, work: Callable[[], Coroutine[Any, Any, None]], *, patience: float = PATIENCE) -> None:
        """Do work that goes on until it is cancelled; begin it anew whenever the database was out of reach.

        Work that has not ended that many seconds after it was cancelled is cancelled again.
        """
        while True:
            try:
                await _until_stopped(work(), patience)
            except (ConnectorException, StoreError, TimeoutError) as problem:
                log.warning("queue_out_of_reach", doing=doing, problem=_said(problem))
            await asyncio.sleep(PAUSE)

    def _living(self) -> list[int]:
        """Return this process's workers. One that is silent twice in a row has broken off; one that was stopped beats again by then."""
        now = time.monotonic()
        silent = {worker_id for worker_id, beat in self._beats.items() if now - beat > self._pacing.let_go_after}
        gone, self._silent = silent & self._silent, silent
        return sorted(self._beats.keys() - gone)

    def _let_go(self, why: str, silent: float) -> None:
        log.warning("looks_let_go", why=why, seconds=round(silent, 1))
        for let_go in self.let_go:
            let_go()

    async def _end(self, job: Job, note: Callable[[], Awaitable[None]]) -> None:
        """Note the end of a look, if the database can be reached; `rescue` finds what could not be noted."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                await note()
                break
            except ConnectorException as problem:
                log.warning("queue_out_of_reach", doing="end", problem=_said(problem))
                await asyncio.sleep(PAUSE)
        if job.id is not None:
            self._held.discard(job.id)

    async def _run(self, query: str, **values: object) -> None:
        await self.connector.execute_query_async(query, **values)

    async def _rows(self, query: str, **values: object) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = await self.connector.execute_query_all_async(query, **values)
        return rows


async def _until_stopped(work: Coroutine[Any, Any, None], patience: float) -> None:
    """Do work until it ends, or is cancelled and has ended."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task])
    finally:
        await end(task, patience=patience)
    task.result()


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the library raises for a database that does not serve into a StoreError, as the store itself raises."""
    try:
        yield
    except ConnectorException as problem:
        raise StoreError(f"The queue's database does not serve: {_said(problem)}. Try again in a moment.") from problem


def _said(problem: Exception) -> str:
    cause = problem.__cause__ or problem
    return str(cause).splitlines()[0] if str(cause) else type(cause).__name__
