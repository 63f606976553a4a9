"""What the background writes about a conversation's past, and who may write it."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Protocol

from bot.domain.chat import ConversationKey
from bot.domain.past import Chunk, ChunkState, Lease, PastState, PastTally, RollingSummary, StructuredMemory


class Pasts(Protocol):
    """Chunks, summaries and structured memories. Every call names the conversation; nothing is ever found across two."""

    async def state(self, conversation: ConversationKey) -> PastState:
        """Return how far the background has come; the empty state for a conversation that it has not seen."""
        ...

    async def note(
        self,
        conversation: ConversationKey,
        *,
        checked_row: int | None = None,
        indexed_row: int | None = None,
        related_row: int | None = None,
        history_floor: int | None = None,
        summary_failures: int | None = None,
    ) -> None:
        """Keep what is given; what is None stays."""
        ...

    async def plan(self, conversation: ConversationKey, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """Store new chunks, whose ids are given here, and return them. One of a known generation, depth and first row is left out."""
        ...

    async def put(self, chunk: Chunk) -> bool:
        """Store the new state of a chunk; False when it is gone."""
        ...

    async def chunks(
        self,
        conversation: ConversationKey,
        generation: int,
        *,
        states: Collection[ChunkState] = tuple(ChunkState),
        after_row: int = 0,
        limit: int,
    ) -> Sequence[Chunk]:
        """Return up to `limit` chunks whose first row is above `after_row`, oldest first; those that were condensed are left out."""
        ...

    async def last_chunks(
        self, conversation: ConversationKey, generation: int, *, before_row: int | None = None, limit: int
    ) -> Sequence[Chunk]:
        """Return the last `limit` DONE chunks, of those that end before `before_row` if it is given, oldest first."""
        ...

    async def condensed(self, conversation: ConversationKey, chunk_id: int) -> Sequence[Chunk]:
        """Return the chunks of a conversation that were condensed into one, oldest first."""
        ...

    async def last_row(self, conversation: ConversationKey, generation: int) -> int:
        """Return the last message that stands in a chunk of the generation, whatever its state; 0 when none does."""
        ...

    async def count(self, conversation: ConversationKey, generation: int, *, states: Collection[ChunkState] = tuple(ChunkState)) -> int:
        """Return how many chunks there are, those that were condensed left out."""
        ...

    async def tally(self, conversation: ConversationKey, generation: int, *, tries: int) -> PastTally:
        """Return in one look what there is of a generation. What a model has failed to read so many times counts as read."""
        ...

    async def add_summary(self, summary: RollingSummary) -> None:
        """Keep a new version of the rolling summary. Only the newest dozen of a generation stays."""
        ...

    async def summary(self, conversation: ConversationKey, generation: int, *, before_row: int | None = None) -> RollingSummary | None:
        """Return the newest version, of those that take in nothing from `before_row` on if it is given."""
        ...

    async def add_structured(self, memories: Sequence[StructuredMemory]) -> Sequence[StructuredMemory]:
        """Store structured memories, whose ids are given here, and return them."""
        ...

    async def structured(self, conversation: ConversationKey, ids: Collection[int]) -> Sequence[StructuredMemory]:
        """Return those of the ids that are there, in the order of their ids."""
        ...

    async def structured_page(
        self, conversation: ConversationKey, generation: int, *, after: int = 0, limit: int
    ) -> Sequence[StructuredMemory]:
        """Return up to `limit` structured memories with ids above `after`, in the order of their ids."""
        ...

    async def begin_building(self, conversation: ConversationKey, *, chunk_tokens: int) -> int:
        """Return the generation to fill. One that was being filled with chunks of the same size goes on; else a new, empty one begins."""
        ...

    async def finish_building(self, conversation: ConversationKey, *, only: int | None = None) -> int:
        """Show the generation that was filled, and drop every older one; return how many rows were dropped.

        Nothing happens where another than the `only` one that is to be shown is being filled by now.
        """
        ...

    async def drop_generation(self, conversation: ConversationKey, generation: int) -> int:
        """Delete the chunks, summaries and structured memories of a generation; return how many rows there were."""
        ...


class Leases(Protocol):
    """Who does a piece of background work. What nobody renews becomes free, by the store's clock: those of machines differ."""

    async def take(self, name: str, owner: str, *, lasts: timedelta) -> bool:
        """Take a lease for some time from now, or renew one's own; False while somebody else holds one of that name."""
        ...

    async def release(self, name: str, owner: str) -> None:
        """Give a lease back; one that is somebody else's stays."""
        ...

    async def all(self) -> Sequence[Lease]:
        """Return all leases that were taken and not given back, in the order of their names."""
        ...
