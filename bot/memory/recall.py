"""What comes back before an answer. Fast readers only: an index, never a model, never all rows."""

from collections.abc import Iterable

from bot.domain.chat import MemoryScope
from bot.domain.memory import Memory, Recall, RecalledMemory
from bot.ports.store import Transaction
from bot.ports.tokens import TokenCounter

LATEST = 200
"""How many of the last changed memories compete for a place in the prompt at most; twice as many as could fit are enough."""
PULLED = 8
"""How many memories a message may pull back."""
TAG_TOKENS = 30
"""What the tag around a memory's text costs in the prompt."""


async def recall(tx: Transaction, scope: MemoryScope, words: str, *, budget_tokens: int, tokens: TokenCounter) -> Recall:
    """Return the memories for a prompt: the last changed that fit the budget, and others that share words with the message.

    The working memories do not depend on the message, so that the prompt's beginning stays the same from turn to turn. What
    is pulled may take a third of the budget on top.
    """
    candidates = min(LATEST, 2 * budget_tokens // TAG_TOKENS)
    latest = await tx.memories.latest(scope, limit=candidates)
    working = sorted(_fitting(latest, budget_tokens, tokens), key=lambda memory: memory.number)
    total = len(latest) if len(latest) < candidates else await tx.memories.count(scope)
    if len(working) == total:
        return Recall(working=tuple(working))
    found = [hit for hit in await tx.memories.search(scope, words, limit=PULLED) if hit[0] not in working]
    fitting = _fitting((memory for memory, _ in found), budget_tokens // 3, tokens)
    pulled = tuple(RecalledMemory(memory, score, "shares words with the message") for memory, score in found if memory in fitting)
    return Recall(working=tuple(working), pulled=pulled, left_out=total - len(working) - len(pulled))


def _fitting(memories: Iterable[Memory], budget_tokens: int, tokens: TokenCounter) -> list[Memory]:
    """Return those that fit, in order. One that does not fit is skipped and shuts out nobody behind it."""
    chosen: list[Memory] = []
    for memory in memories:
        cost = TAG_TOKENS + tokens.count(memory.text)
        if cost <= budget_tokens:
            chosen.append(memory)
            budget_tokens -= cost
    return chosen
