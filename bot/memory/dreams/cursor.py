"""How far the model has looked through the memories of a scope. Only an answer that could be used moves it on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.domain.memory import Memory

TRIES = 3
"""Nights in which the same memories are tried; then the dream goes on without them."""
_NAMES = ("seen_until", "seen_number", "seen_tries")
_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last memory that was looked at, in order of its last change, and how often the next ones were tried in vain."""

    until: int = 0
    """Microseconds since 1970."""
    number: int = 0
    tries: int = 0

    def ahead(self, memories: Iterable[Memory]) -> Sequence[Memory]:
        """Return the memories not looked at since they were changed, the longest unchanged first."""
        return sorted((memory for memory in memories if _place(memory) > (self.until, self.number)), key=_place)

    def past(self, memory: Memory) -> "Cursor":
        """Return the cursor behind a memory."""
        return Cursor(*_place(memory))

    def tried(self) -> "Cursor":
        """Return the cursor with one more try that was in vain."""
        return replace(self, tries=self.tries + 1)

    def counts(self) -> Mapping[str, int]:
        """Return the cursor as a job's record keeps it."""
        return dict(zip(_NAMES, (self.until, self.number, self.tries), strict=True))


def cursor_in(counts: Mapping[str, int] | None) -> Cursor:
    """Return the cursor of a record; the first one when it has none."""
    return Cursor(*((counts or {}).get(name, 0) for name in _NAMES))


def is_cursor(name: str) -> bool:
    """Say whether a count of a record is a part of the cursor, and nothing to show to people."""
    return name in _NAMES


def _place(memory: Memory) -> tuple[int, int]:
    return (memory.updated_at - _BEGIN) // _TICK, memory.number
