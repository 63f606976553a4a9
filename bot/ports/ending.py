"""Ending a task that goes on by itself."""

import asyncio
from typing import Any

PATIENCE = 1.0
"""Seconds after which a task that has not ended is cancelled again."""


def heed_lost_cancellation() -> None:
    """Raise CancelledError where the running task is to end and goes on: what it did on its way out failed, and that was caught."""
    if (task := asyncio.current_task()) is not None and task.cancelling():
        raise asyncio.CancelledError


async def end(task: asyncio.Task[Any], *, patience: float = PATIENCE) -> None:
    """Cancel a task and return when it has ended, however.

    It may take more than one time: a cancellation gets lost where a wait ends by itself, or by its own time limit, in the same moment.
    So it is in `asyncio.wait_for` of Python 3.11 and in the HTTP client, above all after the process stood still.
    """
    task.cancel()
    while not task.done():
        await asyncio.wait([task], timeout=patience)
        task.cancel()
    await asyncio.gather(task, return_exceptions=True)
