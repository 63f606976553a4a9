"""What a dream means to change: values, made first and looked at before anything is stored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.domain.memory import Forget, Memory, MemoryEdit, Remember, Settle
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import changed


class Step(StrEnum):
    """What a change is counted as."""

    DECAYED = "decayed"
    REINFORCED = "reinforced"
    PROMOTED = "promoted"
    MERGED = "merged"
    CROWDED_OUT = "crowded_out"
    """Became deep because too many memories were working ones."""
    RETAINED = "retained_by_dreamer"
    """Was about to be forgotten, and the model keeps it."""
    FORGOTTEN = "forgotten"
    ENDED = "ended"
    REWRITTEN = "rewritten"


@dataclass(frozen=True, slots=True)
class Change:
    """One step with one or more memories, and why."""

    step: Step
    edits: tuple[MemoryEdit, ...]
    reason: str
    """Numbers and figures only: what people forget must not live on in it."""
    sources: tuple[int, ...]
    """The numbers of the memories it rests on."""
    by_model: bool = False

    @property
    def number(self) -> int:
        """Return the number of the memory that it is mostly about."""
        return self.edits[0].number


@dataclass(slots=True)
class Bundle:
    """Changes that are stored together or not at all, and the memories they were made from."""

    before: dict[int, Memory] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    @property
    def edits(self) -> int:
        """Return how many edits it takes."""
        return sum(len(change.edits) for change in self.changes)

    @property
    def forgotten(self) -> frozenset[int]:
        """Return the numbers of memories that it takes away."""
        return frozenset(edit.number for change in self.changes for edit in change.edits if isinstance(edit, Forget))

    @property
    def sinking(self) -> Settle | None:
        """Return the one edit of a bundle that only lets a memory sink; None for any other bundle."""
        match self.changes:
            case [Change(step=Step.DECAYED, edits=(Settle() as edit,))]:
                return edit
        return None


class Plan:
    """The changes of one dream, in order, and how memories stand after them."""

    def __init__(self, policy: MemoryPolicy, at: datetime) -> None:
        self._policy = policy
        self._at = at
        self._bundles: dict[int, Bundle] = {}
        self._after: dict[int, Memory | None] = {}

    def now(self, memory: Memory) -> Memory | None:
        """Return how a memory stands after the changes so far; None when they take it away."""
        return self._after.get(memory.number, memory)

    def standing(self, memories: Iterable[Memory]) -> list[Memory]:
        """Return how those of the memories stand that are not taken away."""
        return [memory for memory in map(self.now, memories) if memory is not None]

    def add(self, change: Change, memories: Iterable[Memory]) -> None:
        """Add a change of these memories, as they were before the dream."""
        bundle = self._joined([memory.number for memory in memories])
        for memory in memories:
            bundle.before.setdefault(memory.number, memory)
            self._bundles[memory.number] = bundle
        bundle.changes.append(change)
        for edit in change.edits:
            self._after[edit.number] = self._applied(edit)

    @property
    def bundles(self) -> Sequence[Bundle]:
        """Return what belongs together, in the order it was begun."""
        return list({id(bundle): bundle for bundle in self._bundles.values()}.values())

    @property
    def changes(self) -> Sequence[Change]:
        """Return all changes."""
        return [change for bundle in self.bundles for change in bundle.changes]

    def takes_away(self, number: int) -> bool:
        """Say whether a memory is gone or ended after the changes."""
        after = self._after.get(number)
        return number in self._after and (after is None or after.ended_at is not None)

    def _joined(self, numbers: Iterable[int]) -> Bundle:
        """Return one bundle for these memories: a new one, or all that they are in already as one."""
        known = list({id(self._bundles[number]): self._bundles[number] for number in numbers if number in self._bundles}.values())
        if not known:
            return Bundle()
        first, *others = known
        for other in others:
            first.before |= other.before
            first.changes += other.changes
            self._bundles |= dict.fromkeys(other.before, first)
        return first

    def _applied(self, edit: MemoryEdit) -> Memory | None:
        if isinstance(edit, Forget):
            return None
        memory = self._after.get(edit.number) or self._bundles[edit.number].before[edit.number]
        if isinstance(edit, Remember):
            raise ValueError("A dream adds no memories.")
        return changed(memory, edit, self._policy, self._at)
