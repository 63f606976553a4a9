"""What the background has given up, for those who can do something about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.chat import ConversationKey
from bot.domain.past import Chunk, ChunkState
from bot.ports.store import Transaction

MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What is missing in a conversation's past until it is regenerated."""

    parked: Sequence[Chunk]
    """Chunks without a summary, oldest first; only the first of very many."""
    count: int
    """All of them."""
    summary_failures: int
    """How often in a row the rolling summary was not written; 0 when it last was."""


async def given_up(tx: Transaction, conversation: ConversationKey) -> GivenUp:
    """Return what was given up in the generation that is shown."""
    state = await tx.pasts.state(conversation)
    parked = await tx.pasts.chunks(conversation, state.generation, states=(ChunkState.PARKED,), limit=MOST_SHOWN)
    count = await tx.pasts.count(conversation, state.generation, states=(ChunkState.PARKED,))
    return GivenUp(parked, count, state.summary_failures)
