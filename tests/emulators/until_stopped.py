"""Serving as a process of its own."""

import asyncio
import signal
import sys


async def until_stopped(first_line: str) -> None:
    """Print where the emulator is to be found, and return at SIGTERM or SIGINT."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    sys.stdout.write(first_line + "\n")
    sys.stdout.flush()
    await stopped.wait()
