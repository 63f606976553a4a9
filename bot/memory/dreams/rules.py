"""What a dream does without a model: pure rules over the memories of one scope."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.fading import DAY, clamped, faded_importance
from bot.domain.memory import Forget, Level, Memory, MemoryEdit, Pin, Revise, Settle
from bot.domain.persona import MemoryPolicy
from bot.domain.text import text_key
from bot.memory.decay import sunk, used_lately
from bot.memory.dreams.plan import Change, Plan, Step
from bot.memory.gate.claims import is_claim, spoken_of
from bot.memory.likeness import likeness_key


@dataclass(slots=True)
class Survey:
    """All memories of a scope, taken in page by page, and the changes of those that need no look at others."""

    plan: Plan
    policy: MemoryPolicy
    at: datetime
    memories: dict[int, Memory] = field(default_factory=dict)
    alike: dict[object, int] = field(default_factory=dict)
    """The first memory of each wording."""
    groups: dict[int, list[Memory]] = field(default_factory=dict)
    """Memories that say the same, by the number of the first."""

    def take(self, page: Iterable[Memory]) -> None:
        """Let memories sink, strengthen those that were used, and call back the archived ones that were used lately."""
        for memory in page:
            self.memories[memory.number] = memory
            for step, edit, reason in of_its_own(memory, self.policy, self.at):
                self.plan.add(Change(step, (edit,), reason, (memory.number,)), [memory])
            if memory.ended_at is None:
                self._compare(memory)

    @property
    def active(self) -> frozenset[int]:
        """Return the numbers of the working and deep memories that hold, as it was before the dream."""
        return frozenset(number for number, memory in self.memories.items() if is_active(memory))

    def _compare(self, memory: Memory) -> None:
        keys = list(_wordings(memory))
        first = next((self.alike[key] for key in keys if key in self.alike), memory.number)
        for key in keys:
            self.alike.setdefault(key, first)
        if first != memory.number:
            self.groups.setdefault(first, [self.memories[first]]).append(memory)


def is_active(memory: Memory) -> bool:
    """Say whether a memory holds and stands in prompts, in full or as a handle."""
    return memory.level < Level.ARCHIVE and memory.ended_at is None


def strengthened(memory: Memory, policy: MemoryPolicy, now: datetime) -> Settle | None:
    """Return what its uses since the last dream make of a memory; None when it was not used."""
    if memory.uses <= 0:
        return None
    importance = clamped(faded_importance(memory, policy, now) + policy.reinforce * math.log1p(memory.uses))
    return Settle(memory.number, memory.level, importance, reinforced=True)


def called_back(memory: Memory, now: datetime) -> Settle | None:
    """Return an archived memory that was used within the last day to the deep ones; None for any other."""
    return Settle(memory.number, Level.DEEP) if memory.level is Level.ARCHIVE and used_lately(memory, now) else None


def of_its_own(memory: Memory, policy: MemoryPolicy, now: datetime) -> Iterable[tuple[Step, Settle, str]]:
    """Yield the steps that a memory takes whatever the others are: step, edit and reason, in order."""
    edit = sunk(memory, policy, now)
    level = memory.level if edit is None else edit.level
    if edit is not None:
        yield Step.DECAYED, edit, f"faded to {faded_importance(memory, policy, now):.2f}"
    stronger = strengthened(memory, policy, now)
    if stronger is not None:
        reason = f"used {memory.uses} times since the last dream"
        yield Step.REINFORCED, Settle(memory.number, level, stronger.importance, reinforced=True), reason
    back = called_back(memory, now)
    if back is not None:
        yield Step.PROMOTED, back, "used within the last day"


def merge_repeats(survey: Survey) -> None:
    """Merge what says the same about the same person: the oldest stays, as important as the most important of them."""
    for group in survey.groups.values():
        merge(survey.plan, group, survey.policy, survey.at)


def merge(plan: Plan, group: Sequence[Memory], policy: MemoryPolicy, at: datetime, *, text: str = "", by_model: bool = False) -> None:
    """Add the change that makes one memory of several, with a new text if one is given."""
    standing = plan.standing(group)
    if len(standing) < 2:
        return
    kept = min(standing, key=lambda memory: (memory.created_at, memory.number))
    others = sorted(memory.number for memory in standing if memory is not kept)
    edits = [*_strongest_of(standing, kept, policy, at, text=text), *(Forget(number, for_good=False) for number in others)]
    reason = f"{', '.join(f'#{number}' for number in others)} merged into #{kept.number}: they say the same"
    sources = tuple(sorted(memory.number for memory in standing))
    plan.add(Change(Step.MERGED, tuple(edits), reason, sources, by_model), [memory for memory in group if memory.number in sources])


def _strongest_of(standing: Sequence[Memory], kept: Memory, policy: MemoryPolicy, at: datetime, *, text: str) -> list[MemoryEdit]:
    """Return the edits that give the kept memory the best that the others have."""
    edits: list[MemoryEdit] = [Revise(kept.number, text)] if text and text != kept.text else []
    level = min(memory.level for memory in standing)
    importance = max(faded_importance(memory, policy, at) for memory in standing)
    if edits or level is not kept.level or importance > faded_importance(kept, policy, at):
        edits.append(Settle(kept.number, level, importance))
    if any(memory.pinned for memory in standing) and not kept.pinned:
        edits.append(Pin(kept.number, pinned=True))
    return edits


def crowd_out(survey: Survey) -> None:
    """Make the least important working memories deep where there are more than the policy allows."""
    for memory in surplus(survey.plan.standing(survey.memories.values()), survey.policy, survey.at):
        reason = f"one of more than {survey.policy.max_working} working memories"
        change = Change(Step.CROWDED_OUT, (Settle(memory.number, Level.DEEP),), reason, (memory.number,))
        survey.plan.add(change, [survey.memories[memory.number]])


def surplus(memories: Iterable[Memory], policy: MemoryPolicy, now: datetime) -> Sequence[Memory]:
    """Return the weakest of the working memories, as many as there are more than the policy allows; pinned ones stay."""
    working = [memory for memory in memories if memory.level is Level.WORKING and memory.ended_at is None]
    ranked = sorted(
        working,
        key=lambda memory: (not is_claim(memory), memory.pinned, faded_importance(memory, policy, now), memory.number),
        reverse=True,
    )
    return [memory for memory in ranked[policy.max_working :] if not memory.pinned]


def fading_out(survey: Survey) -> Sequence[Memory]:
    """Return the memories that were archived before the dream, are too weak to be kept and were idle for a day.

    What the dream itself archives can be seen until the next one, however long nobody dreamt before.
    """
    standing = survey.plan.standing(survey.memories.values())
    before = [survey.memories[memory.number] for memory in standing if is_fading_out(memory, survey.policy, survey.at)]
    return [memory for memory in before if memory.level is Level.ARCHIVE]


def is_fading_out(memory: Memory, policy: MemoryPolicy, now: datetime) -> bool:
    """Say whether a dream forgets a memory: archived, not pinned, weaker than the policy asks, and idle for a day."""
    if memory.level is not Level.ARCHIVE or memory.pinned:
        return False
    idle_since = max(memory.created_at, memory.updated_at, memory.used_at or memory.created_at)
    return now - idle_since >= DAY and faded_importance(memory, policy, now) < policy.forget_below


def forget(survey: Survey, memories: Iterable[Memory], reason: str = "", *, by_model: bool = False) -> None:
    """Add the change that forgets each of the memories; an undo brings them back."""
    why = reason or f"weaker than {survey.policy.forget_below:g} and idle for a day"
    for memory in memories:
        edits = (Forget(memory.number, for_good=False),)
        survey.plan.add(Change(Step.FORGOTTEN, edits, why, (memory.number,), by_model), [memory])


def counts_of(changes: Iterable[Change]) -> Mapping[str, int]:
    """Return how many changes there are of each step, zeros among them."""
    counts = dict.fromkeys((step.value for step in Step), 0)
    for change in changes:
        merged_away = sum(isinstance(edit, Forget) for edit in change.edits)
        counts[change.step] += merged_away if change.step is Step.MERGED else 1
    return counts


def _wordings(memory: Memory) -> Iterable[object]:
    """Return what two memories share that say the same: about the same person, or by the same when they are about nobody."""
    whom = spoken_of(memory)
    yield whom, text_key(memory.text)
    key = likeness_key(memory.text, name=memory.subject.display_name if memory.subject else "")
    if key:
        yield whom, key
