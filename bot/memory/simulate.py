"""What a policy would make of memories in the nights to come. Pure: nothing is read or stored."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.fading import DAY, faded_importance
from bot.domain.memory import Level, Memory, Tag
from bot.domain.persona import MemoryPolicy
from bot.memory.dreams.rules import is_fading_out, of_its_own, surplus
from bot.memory.edit import changed

State = Memory | None
"""A memory as it is on one day; None when it is forgotten."""


@dataclass(frozen=True, slots=True)
class Course:
    """A memory day by day, today first."""

    days: tuple[State, ...]
    strengths: tuple[float, ...]
    """Its importance on each day, 0 from when it is forgotten."""

    @property
    def forgotten_on(self) -> int | None:
        """Return the day on which it is gone, counted from today; None when it stays."""
        return self.days.index(None) if None in self.days else None


def simulate(
    memories: Iterable[Memory],
    policy: MemoryPolicy,
    *,
    start: datetime,
    days: int,
    used: Callable[[int], Collection[int]] = lambda _: (),
) -> Sequence[Course]:
    """Return the course of each memory through so many nights. `used` gives the numbers that are used on a day.

    Left out is what depends on texts or on a model, and that a dream which takes too much at once is refused.
    """
    states: dict[int, State] = {memory.number: memory for memory in memories}
    seen = {number: [state] for number, state in states.items()}
    for day in range(1, days + 1):
        now = start + day * DAY
        states = _after_a_night(_after_a_day(states, used(day), policy, now), policy, now)
        for number, state in states.items():
            seen[number].append(state)
    return [_course(course, policy, start) for course in seen.values()]


def examples(policy: MemoryPolicy, like: Memory) -> Mapping[str, Memory]:
    """Return three new memories to show what a policy does: one to be used, one never used, one pinned."""
    new = replace(like, importance=policy.new_importance, level=Level.WORKING, weighed_at=None, uses=0, used_at=None, ended_at=None)
    return {
        "used": replace(new, number=-1, pinned=False),
        "unused": replace(new, number=-2, pinned=False),
        "pinned": replace(new, number=-3, pinned=True),
    }


def _after_a_day(states: Mapping[int, State], used: Collection[int], policy: MemoryPolicy, now: datetime) -> dict[int, State]:
    return {
        number: changed(state, Tag(number), policy, now) if state is not None and number in used else state
        for number, state in states.items()
    }


def _after_a_night(states: Mapping[int, State], policy: MemoryPolicy, now: datetime) -> dict[int, State]:
    after = {number: state and _settled(state, policy, now) for number, state in states.items()}
    for memory in surplus((state for state in after.values() if state), policy, now):
        after[memory.number] = replace(memory, level=Level.DEEP)
    return {number: None if _is_forgotten(states[number], state, policy, now) else state for number, state in after.items()}


def _is_forgotten(before: State, after: State, policy: MemoryPolicy, now: datetime) -> bool:
    """Say whether a night forgets a memory, which it does only when it was archived before."""
    return bool(before and after and before.level is Level.ARCHIVE and is_fading_out(after, policy, now))


def _settled(memory: Memory, policy: MemoryPolicy, now: datetime) -> Memory:
    for _, edit, _ in of_its_own(memory, policy, now):
        memory = changed(memory, edit, policy, now)
    return memory


def _course(days: Sequence[State], policy: MemoryPolicy, start: datetime) -> Course:
    strengths = [faded_importance(state, policy, start + day * DAY) if state else 0.0 for day, state in enumerate(days)]
    return Course(tuple(days), tuple(strengths))
