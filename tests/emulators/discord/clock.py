"""Time and ids as Discord makes them."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], float]

DISCORD_EPOCH_MS = 1_420_070_400_000


class ManualClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, start: float = 1_780_000_000.0) -> None:
        self._now = start

    def __call__(self) -> float:
        """Return the seconds since 1970."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Move time forward."""
        self._now += seconds


class Snowflakes:
    """Hands out ids that grow with time, also within one millisecond."""

    def __init__(self, clock: Clock = time.time) -> None:
        self._clock = clock
        self._last = 0

    def __call__(self) -> int:
        """Return the next id."""
        moment = (int(self._clock() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last = max(self._last + 1, moment)
        return self._last


def iso(seconds: float) -> str:
    """Return the time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
