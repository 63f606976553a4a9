"""Counting what happened of late, in memory: bounded, and empty after a start."""

from collections import OrderedDict, deque
from collections.abc import Hashable
from datetime import datetime, timedelta

MOST_KEYS = 10_000
MOST_KEPT = 1000
"""Events of one key; no limit is higher."""


class Windows:
    """A sliding window for each key. Of more than `most_keys`, the one that nothing happened to for longest is forgotten."""

    def __init__(self, length: timedelta, *, most_keys: int = MOST_KEYS) -> None:
        self._length = length
        self._most_keys = most_keys
        self._kept: OrderedDict[Hashable, deque[datetime]] = OrderedDict()

    def count(self, key: Hashable, now: datetime) -> None:
        """Note that something happened."""
        self._kept.setdefault(key, deque(maxlen=MOST_KEPT)).append(now)
        self._kept.move_to_end(key)
        if len(self._kept) > self._most_keys:
            self._kept.popitem(last=False)

    def full_until(self, key: Hashable, limit: int, now: datetime) -> datetime | None:
        """Return when there is room again, where `limit` have happened within the window; None where there is room now, or no limit."""
        kept = self._kept.get(key, deque())
        while kept and kept[0] <= now - self._length:
            kept.popleft()
        return kept[-limit] + self._length if 0 < limit <= len(kept) else None


class Deadlines:
    """Keys that hold until a moment; of too many, the oldest ones go."""

    def __init__(self, *, most_keys: int = MOST_KEYS) -> None:
        self._most_keys = most_keys
        self._until: OrderedDict[Hashable, datetime] = OrderedDict()

    def hold(self, key: Hashable, until: datetime) -> None:
        """Let a key hold until then."""
        self._until[key] = until
        self._until.move_to_end(key)
        if len(self._until) > self._most_keys:
            self._until.popitem(last=False)

    def until(self, key: Hashable, now: datetime) -> datetime | None:
        """Return until when a key holds; None when it does not."""
        until = self._until.get(key)
        if until is not None and until <= now:
            del self._until[key]
            return None
        return until
