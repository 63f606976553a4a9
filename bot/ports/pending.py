"""Keeping what waits to be approved."""

from collections.abc import Sequence
from typing import Protocol

from bot.domain.chat import MemoryScope
from bot.domain.pending import PendingMemory


class PendingMemories(Protocol):
    """Texts that wait for somebody to decide. Every call names the scope; nothing is ever found across scopes."""

    async def add(self, pending: PendingMemory) -> None:
        """Store a text under its reserved number.

        Of more than `MOST_PENDING` in its scope, or `MOST_PENDING_OF_ONE` of its author there, the oldest go.
        """
        ...

    async def page(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[PendingMemory]:
        """Return up to `limit` texts with numbers above `after`, in number order."""
        ...

    async def get(self, scope: MemoryScope, number: int) -> PendingMemory | None:
        """Return the text of that number."""
        ...

    async def remove(self, scope: MemoryScope, number: int) -> bool:
        """Delete a text; False when there is none of that number."""
        ...
