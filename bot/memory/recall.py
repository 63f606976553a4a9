"""What comes back before an answer. Fast readers only: an index, never a model, never all rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from bot.domain.memory import EditOrigin, Fold, Level, Load, Memory, Recall, RecalledMemory, RecallNote
from bot.domain.message import Person
from bot.memory.edit import MemoryEditor
from bot.memory.working import WorkingSet, fitting

LEAST_SCORE = 0.15
"""A hit below this shares too little with the message."""
FRESH_SHARE = 2
"""The block is laid down anew when what came since takes more than one in so many of its tokens."""
STANDING = "stood in the prompt by default"
ADDED = "told since the block was laid down"
RECALLER = Person("", "Baku", is_bot=True)


@dataclass(frozen=True, slots=True)
class _Hit:
    memory: Memory
    score: float
    reason: str


async def recall(working_set: WorkingSet, words: str) -> Recall:
    """Return the memories for a prompt, after bringing back the deep ones that the message asks for.

    The block does not depend on the message: it is laid down once and stays, so that the prompt's beginning stays the same. What
    was added or came back since stands apart, until it has grown too much, or until a memory of the block has changed.
    """
    memories = working_set.tx.memories
    fold = await memories.fold(working_set.scope)
    hits = await _pull(working_set, words, () if fold is None else fold.working)
    working = await working_set.all()
    if fold is None or _has_outgrown(working_set, fold, working):
        fold = await working_set.lay_down([memory for memory in working if memory.number not in hits])
    return await _recalled(working_set, fold, working, hits)


def notes_on(recalled: Recall, used: Collection[int]) -> Sequence[RecallNote]:
    """Return which memories stood in a prompt, why, and which of them the model says it used, in number order."""
    why = {memory.number: STANDING for memory in recalled.working} | {hit.memory.number: hit.reason for hit in recalled.fresh}
    return [RecallNote(number, reason, number in used) for number, reason in sorted(why.items())]


async def _pull(working_set: WorkingSet, words: str, standing: Sequence[int]) -> Mapping[int, _Hit]:
    """Return the memories outside the block that share words with the message, deep ones brought back, the best few."""
    policy = working_set.policy
    if not policy.pull or not policy.max_pulled:
        return {}
    levels, most = (Level.WORKING, Level.DEEP), policy.max_pulled + len(standing)
    found = await working_set.tx.memories.search(working_set.scope, words, limit=most, levels=levels)
    chosen = [hit for hit in found if hit[0].number not in standing and hit[1] >= LEAST_SCORE][: policy.max_pulled]
    return {memory.number: await _brought_back(working_set, memory, score) for memory, score in chosen}


async def _brought_back(working_set: WorkingSet, memory: Memory, score: float) -> _Hit:
    if memory.level is Level.WORKING:
        return _Hit(memory, score, "shares words with the message")
    editor = MemoryEditor(working_set.tx, working_set.scope, working_set.policy, working_set.now)
    await editor.apply(Load(memory.number), EditOrigin(actor="recall", reason="shares words with a message", author=RECALLER))
    return _Hit(memory, score, "came back: shares words with the message")


def _has_outgrown(working_set: WorkingSet, fold: Fold, working: Sequence[Memory]) -> bool:
    """Say whether too much stands outside the block, or anything at all outside an empty one."""
    fresh = _fresh(fold, working)
    if fresh and not fold.working:
        return True
    budget = working_set.policy.working_tokens // FRESH_SHARE
    return len(fitting(fresh, budget, working_set.tokens)) < len(fresh)


def _fresh(fold: Fold, working: Sequence[Memory]) -> list[Memory]:
    """Return the working memories that were not there when the block was laid down."""
    known = {*fold.working, *fold.left_out}
    return [memory for memory in working if memory.number not in known]


async def _recalled(working_set: WorkingSet, fold: Fold, working: Sequence[Memory], hits: Mapping[int, _Hit]) -> Recall:
    memories, scope = working_set.tx.memories, working_set.scope
    block = await memories.several(scope, fold.working)
    added = {memory.number: _Hit(memory, 0.0, ADDED) for memory in _fresh(fold, working)}
    fresh = {number: hit for number, hit in {**added, **hits}.items() if number not in fold.working}
    total = await memories.count(scope, levels=(Level.WORKING, Level.DEEP))
    return Recall(
        working=tuple(block),
        handles=tuple(await memories.several(scope, fold.handles)),
        groups=fold.groups,
        fresh=tuple(RecalledMemory(hit.memory, hit.score, hit.reason) for _, hit in sorted(fresh.items())),
        left_out=max(total - len(block) - len(fresh), 0),
    )
