"""Keeping what waits: once, however often it is told."""

from bot.domain.pending import MOST_PENDING, PendingMemory
from bot.domain.text import text_key
from bot.ports.store import Transaction


async def keep_pending(tx: Transaction, pending: PendingMemory) -> bool:
    """Keep a text that waits; False when the same text of the same speaker waits already."""
    known = await tx.pending.page(pending.scope, limit=MOST_PENDING)
    if any(other.author.id == pending.author.id and text_key(other.text) == text_key(pending.text) for other in known):
        return False
    await tx.pending.add(pending)
    return True
