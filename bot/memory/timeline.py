"""How memories rose and faded: read from the journal, with fading reckoned in between. Pure."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.fading import faded_importance
from bot.domain.memory import JournalEntry, Level, Memory
from bot.domain.persona import MemoryPolicy


@dataclass(frozen=True, slots=True)
class Moment:
    """A memory's strength and level at one time."""

    strength: float
    level: Level
    holds: bool


@dataclass(slots=True)
class Life:
    """A memory's states: each counts from its time until the next; None stands for gone."""

    number: int
    times: list[datetime] = field(default_factory=list)
    states: list[Memory | None] = field(default_factory=list)

    @property
    def last(self) -> Memory | None:
        """Return the last state in which it was there."""
        return next((state for state in reversed(self.states) if state is not None), None)

    @property
    def is_gone(self) -> bool:
        """Say whether it is forgotten."""
        return self.states[-1] is None

    def at(self, time: datetime, policy: MemoryPolicy) -> Moment | None:
        """Return how it stood at a time; None before it was made and after it was forgotten."""
        place = bisect_right(self.times, time)
        state = self.states[place - 1] if place else None
        if state is None:
            return None
        return Moment(faded_importance(state, policy, time), state.level, holds=state.ended_at is None or state.ended_at > time)

    def goes_on(self, time: datetime, state: Memory | None) -> None:
        """Add a state."""
        self.times.append(time)
        self.states.append(state)


def lives(entries: Iterable[JournalEntry], present: Iterable[Memory]) -> Sequence[Life]:
    """Return the lives of all memories, in number order, from journal entries, the oldest first, and the memories that there are.

    What is gone for good, or older than the entries, is left out as far as no text of it is known.
    """
    known: dict[int, Life] = {}
    for entry in entries:
        life = known.setdefault(entry.number, Life(entry.number))
        if not life.times and entry.before is not None:
            life.goes_on(entry.before.created_at, entry.before)
        life.goes_on(entry.at, entry.after)
    for memory in present:
        life = known.setdefault(memory.number, Life(memory.number))
        if not life.times:
            life.goes_on(memory.created_at, memory)
        elif life.states[-1] != memory:
            life.goes_on(max(life.times[-1], memory.used_at or memory.created_at), memory)
    return [life for _, life in sorted(known.items()) if life.last is not None]


def strongest_first(found: Iterable[Life], policy: MemoryPolicy, now: datetime) -> Sequence[Life]:
    """Return lives in the order in which to show them: what is there before what is gone, the strongest first."""

    def rank(life: Life) -> tuple[bool, float, int]:
        moment = life.at(now, policy)
        return moment is None, -(moment.strength if moment else 0.0), life.number

    return sorted(found, key=rank)
