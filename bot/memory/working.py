"""The working block: which memories stand in the prompt, laid down as a fold that stays the same from turn to turn."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.domain.chat import MemoryScope
from bot.domain.memory import Fold, HandleGroup, Level, Memory
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.memory.gate.claims import is_claim, own_first
from bot.ports.store import Transaction
from bot.ports.tokens import TokenCounter

TAG_TOKENS = 30
"""What the tag around a memory's text costs in the prompt."""
HANDLE_TOKENS = 16
"""What a handle costs beside its text."""
HANDLE_TEXT = 80
"""Characters of a deep memory that its handle shows."""
GROUP_HANDLES = 5
"""Handles that a group's line shows."""
SPARE = 8
"""Working memories beyond the most allowed that are read, so that the weakest of them can be found."""


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """The working memories of one scope."""

    tx: Transaction
    scope: MemoryScope
    policy: MemoryPolicy
    tokens: TokenCounter
    now: datetime

    async def all(self) -> list[Memory]:
        """Return the working memories, the strongest first."""
        return await self._strongest(self.policy.max_working + SPARE)

    async def _strongest(self, most: int) -> list[Memory]:
        return list(await self.tx.memories.at_level(self.scope, Level.WORKING, fading=self.policy.decay_per_day, limit=most))

    async def lay_down(self, working: Iterable[Memory]) -> Fold:
        """Choose what stands in the block and among the handles; keep the choice and return it."""
        chosen = fitting(own_first(working), self.policy.working_tokens, self.tokens)
        numbers = {memory.number for memory in chosen}
        handles, groups = await self._handles()
        fold = Fold(
            working=tuple(sorted(numbers)),
            left_out=tuple(sorted(memory.number for memory in working if memory.number not in numbers)),
            handles=tuple(memory.number for memory in handles),
            groups=groups,
        )
        await self.tx.memories.set_fold(self.scope, fold)
        return fold

    async def trim(self, keep: Collection[int]) -> None:
        """Let the weakest working memories become deep until no more than the policy allows are left; `keep` and pinned ones stay.

        Claims go first, those of `keep` too: they never push out what somebody said of themselves.
        """
        surplus = await self.tx.memories.count(self.scope, levels=(Level.WORKING,)) - self.policy.max_working
        if surplus <= 0:
            return
        working = own_first(await self._strongest(self.policy.max_working + max(surplus, SPARE)))
        weakest = [memory.number for memory in reversed(working) if not memory.pinned and (memory.number not in keep or is_claim(memory))]
        await MemoryEditor(self.tx, self.scope, self.policy, self.now).move(weakest[:surplus], Level.DEEP)

    async def _handles(self) -> tuple[list[Memory], tuple[HandleGroup, ...]]:
        """Return the deep memories to show one a line, or their groups when they are too many."""
        most, fading = self.policy.max_handles, self.policy.decay_per_day
        deep = await self.tx.memories.at_level(self.scope, Level.DEEP, fading=fading, limit=most + 1)
        if len(deep) <= most:
            return fitting_handles(deep, self.policy.handle_tokens, self.tokens), ()
        return [], tuple(await self.tx.memories.deep_groups(self.scope, fading=fading, handles=GROUP_HANDLES))


def fitting(memories: Iterable[Memory], budget_tokens: int, tokens: TokenCounter) -> list[Memory]:
    """Return those that fit, in order. One that does not fit is skipped and shuts out nobody behind it."""
    chosen: list[Memory] = []
    for memory in memories:
        cost = TAG_TOKENS + tokens.count(memory.text)
        if cost <= budget_tokens:
            chosen.append(memory)
            budget_tokens -= cost
    return chosen


def fitting_handles(memories: Iterable[Memory], budget_tokens: int, tokens: TokenCounter) -> list[Memory]:
    """Return those whose handles fit, in order."""
    chosen: list[Memory] = []
    for memory in memories:
        cost = HANDLE_TOKENS + tokens.count(memory.text[:HANDLE_TEXT])
        if cost > budget_tokens:
            break
        chosen.append(memory)
        budget_tokens -= cost
    return chosen
