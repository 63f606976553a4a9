"""A clock that tests move by hand."""

import asyncio
from datetime import UTC, datetime, timedelta

START = datetime(2026, 5, 3, 10, 0, tzinfo=UTC)


class FrozenClock:
    """A Clock that stands still. A sleep moves it on and returns at once, so that no test waits."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start
        self.slept: list[float] = []
        """The seconds of each sleep, in order."""

    def now(self) -> datetime:
        """Return the time it stands at."""
        return self._now

    def move(self, *, seconds: float) -> None:
        """Move it on."""
        self._now += timedelta(seconds=seconds)

    async def sleep(self, seconds: float) -> None:
        """Move it on and let other tasks run."""
        self.slept.append(seconds)
        self.move(seconds=seconds)
        await asyncio.sleep(0)
