"""What comes back before an answer. Fast readers only: an index, never a model, never all rows."""

from collections.abc import Collection, Mapping, Sequence

from bot.domain.memory import Fold, Level, Memory, Recall, RecalledMemory, RecallNote
from bot.memory.edit import MemoryEditor
from bot.memory.gate.claims import is_claim, own_first
from bot.memory.working import WorkingSet, fitting

LEAST_SCORE = 0.15
"""A hit below this shares too little with the message."""
FRESH_SHARE = 3
"""What is told outside the block may take one in so many of its tokens; then the block is laid down anew."""
CAME_BACK_SHARE = 16
"""What came back in earlier turns may take one in so many of the block's tokens."""
CROWD = 200
"""Hits that are looked at where claims crowd out what people said of themselves."""
STANDING = "stood in the prompt by default"
TOLD = "told since the block was laid down"
CAME_BACK = "came back lately"
ASKED_FOR = "shares words with the message"

Hits = Mapping[int, tuple[Memory, float]]


async def recall(working_set: WorkingSet, words: str) -> Recall:
    """Return the memories for a prompt, after bringing back the deep ones that the message asks for.

    The block does not depend on the message: it is laid down once and stays, so that the prompt's beginning stays the same. What
    was told or came back since stands apart, until too much has been told, or a memory of the block has changed.
    """
    fold = await working_set.tx.memories.fold(working_set.scope)
    hits = await _bring_back(working_set, words, () if fold is None else fold.working)
    working = await working_set.all()
    if fold is None or _has_outgrown(working_set, fold, working):
        fold = await working_set.lay_down(working)
    return await _recalled(working_set, fold, working, hits)


def notes_on(recalled: Recall, used: Collection[int]) -> Sequence[RecallNote]:
    """Return which memories stood in a prompt, why, and which of them the model says it used, in number order."""
    why = {memory.number: STANDING for memory in recalled.working} | {hit.memory.number: hit.reason for hit in recalled.fresh}
    return [RecallNote(number, reason, number in used) for number, reason in sorted(why.items())]


async def _bring_back(working_set: WorkingSet, words: str, standing: Sequence[int]) -> Hits:
    """Return the best few memories outside the block that share words with the message; deep ones become working ones."""
    policy = working_set.policy
    if not policy.pull or not policy.max_pulled:
        return {}
    levels, most = (Level.WORKING, Level.DEEP), policy.max_pulled + len(standing)
    found = await working_set.tx.memories.search(working_set.scope, words, limit=most, levels=levels)
    if len(found) == most and any(is_claim(memory) for memory, _ in found):
        found = await working_set.tx.memories.search(working_set.scope, words, limit=CROWD, levels=levels)
    found = sorted(found, key=lambda hit: is_claim(hit[0]))
    hits = [hit for hit in found if hit[0].number not in standing and hit[1] >= LEAST_SCORE][: policy.max_pulled]
    deep = [memory.number for memory, _ in hits if memory.level is Level.DEEP]
    editor = MemoryEditor(working_set.tx, working_set.scope, policy, working_set.now)
    await editor.move(deep, Level.WORKING, used=True)
    return {memory.number: (memory, score) for memory, score in hits}


def _has_outgrown(working_set: WorkingSet, fold: Fold, working: Sequence[Memory]) -> bool:
    """Say whether too much was told outside the block, or anything at all stands outside an empty one."""
    outside = _outside(fold, working)
    if outside and not fold.working:
        return True
    told = [memory for memory in outside if _is_told_since(fold, memory)]
    return len(fitting(told, _fresh_budget(working_set), working_set.tokens)) < len(told)


def _outside(fold: Fold, working: Sequence[Memory]) -> list[Memory]:
    """Return the working memories, the strongest first, that were not among them when the block was laid down."""
    known = {*fold.working, *fold.left_out}
    return [memory for memory in working if memory.number not in known]


def _is_told_since(fold: Fold, memory: Memory) -> bool:
    """Numbers rise, so what has a higher one than all working memories of then is new; the others came back."""
    return memory.number > max((*fold.working, *fold.left_out), default=0)


def _fresh_budget(working_set: WorkingSet) -> int:
    return working_set.policy.working_tokens // FRESH_SHARE


async def _recalled(working_set: WorkingSet, fold: Fold, working: Sequence[Memory], hits: Hits) -> Recall:
    memories, scope = working_set.tx.memories, working_set.scope
    shown = {memory.number: memory for memory in working}
    unread = [number for number in (*fold.working, *fold.handles) if number not in shown]
    shown |= {memory.number: memory for memory in await memories.several(scope, unread)} if unread else {}
    block = [shown[number] for number in fold.working if number in shown]
    fresh = _fresh(working_set, fold, working, hits)
    total = await memories.count(scope, levels=(Level.WORKING, Level.DEEP))
    return Recall(
        working=tuple(block),
        handles=tuple(shown[number] for number in fold.handles if number in shown),
        groups=fold.groups,
        fresh=fresh,
        left_out=max(total - len(block) - len(fresh), 0),
    )


def _fresh(working_set: WorkingSet, fold: Fold, working: Sequence[Memory], hits: Hits) -> tuple[RecalledMemory, ...]:
    """Return what stands outside the block, in number order: what was asked for, what was told, and the last that came back."""
    outside = [memory for memory in _outside(fold, working) if memory.number not in hits]
    told = [memory for memory in outside if _is_told_since(fold, memory)]
    lately = sorted((memory for memory in outside if memory not in told), key=lambda memory: memory.used_at or memory.created_at)
    came_back = fitting(own_first(reversed(lately)), working_set.policy.working_tokens // CAME_BACK_SHARE, working_set.tokens)
    others = [RecalledMemory(memory, 0.0, TOLD) for memory in told] + [RecalledMemory(memory, 0.0, CAME_BACK) for memory in came_back]
    asked_for = [RecalledMemory(memory, score, ASKED_FOR) for memory, score in hits.values() if memory.number not in fold.working]
    return tuple(sorted([*asked_for, *others], key=lambda hit: hit.memory.number))
