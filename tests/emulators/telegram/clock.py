"""Time of the emulator: the wall clock, or one that tests move by hand."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Where the emulator gets its time from."""

    def now(self) -> float:
        """Return the Unix time."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when `seconds` have passed on this clock."""
        ...


class WallClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Return the Unix time."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds` of real time."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now: float | None = None) -> None:
        """Begin at a time; without one, now, in whole seconds."""
        self._now = float(int(time.time())) if now is None else now
        self._moved = asyncio.Event()

    def now(self) -> float:
        """Return the Unix time that was set."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Move the time on and wake those who slept long enough."""
        self._now += seconds
        self._moved.set()
        self._moved = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Return when the clock was moved on by `seconds`."""
        until = self._now + seconds
        while self._now < until:
            await self._moved.wait()
