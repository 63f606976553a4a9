"""How long jobs take."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

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
