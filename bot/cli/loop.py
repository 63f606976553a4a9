"""Running one asynchronous job as the whole program."""

import asyncio
import signal
from collections.abc import Coroutine

import typer

INTERRUPTED = 130
STOPPING = (signal.SIGTERM, signal.SIGHUP)


def run_until_stopped(job: Coroutine[None, None, None]) -> None:
    """Run the job to its end, or until the process is asked to stop; then it is cancelled and cleans up. A second request kills.

    Ctrl-C ends the command with the code that shells expect, and quietly.
    """
    try:
        asyncio.run(_stoppable(job))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


async def _stoppable(job: Coroutine[None, None, None]) -> None:
    loop = asyncio.get_running_loop()
    running = asyncio.timeout(None)

    def stop() -> None:
        for number in STOPPING:
            loop.remove_signal_handler(number)
        running.reschedule(loop.time())

    for number in STOPPING:
        loop.add_signal_handler(number, stop)
    try:
        async with running:
            await job
    except TimeoutError:
        if not running.expired():
            raise
