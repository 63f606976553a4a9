"""How long jobs take."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from bot.domain.chat import MemoryScope
from bot.domain.job import JobRecord
from bot.domain.persona import Persona
from bot.jobs.night import JobOnScope
from bot.ports.metrics import Metrics


@contextmanager
def timed(metrics: Metrics, job: str) -> Iterator[None]:
    """Note how long a job takes that is done while the context is open. One that raises, or is broken off, counts as failed."""
    loop = asyncio.get_running_loop()
    begun, failed = loop.time(), True
    try:
        yield
        failed = False
    finally:
        metrics.job_ended(job, loop.time() - begun, failed=failed)


def timed_on_scope(metrics: Metrics, job: str, work: JobOnScope) -> JobOnScope:
    """Return a job that is timed at each scope."""

    async def timed_work(persona: Persona, scope: MemoryScope, run: str) -> JobRecord:
        with timed(metrics, job):
            return await work(persona, scope, run)

    return timed_work
