"""What personas remember, and how it came about."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from bot.domain.chat import MemoryScope
from bot.domain.memory import Fold, HandleGroup, JournalEntry, Level, Memory


class Memories(Protocol):
    """What personas remember. Every call names the scope; nothing is ever found across scopes."""

    async def reserve_number(self, scope: MemoryScope) -> int:
        """Return the scope's next number, 1 first. One whose transaction was kept is never returned again."""
        ...

    async def add(self, *memories: Memory) -> None:
        """Store memories under their reserved numbers."""
        ...

    async def put(self, memory: Memory) -> bool:
        """Store the new state of a memory, whatever of it has changed; False when there is no such number."""
        ...

    async def move(self, scope: MemoryScope, numbers: Sequence[int], level: Level, *, used_at: datetime | None = None) -> None:
        """Put memories at a level, and note when they were used if that is given; all else stays as it is."""
        ...

    async def remove(self, scope: MemoryScope, number: int) -> bool:
        """Delete the row and all that makes it findable; False when there is no such number."""
        ...

    async def get(self, scope: MemoryScope, number: int) -> Memory | None:
        """Return the memory of that number."""
        ...

    async def several(self, scope: MemoryScope, numbers: Sequence[int]) -> Sequence[Memory]:
        """Return those memories of the numbers that are there, in number order."""
        ...

    async def by_handle(self, scope: MemoryScope, handle: str) -> Memory | None:
        """Return the one memory whose id begins with these 8 hex digits; None for any other text, and when two share them."""
        ...

    async def same_text(self, scope: MemoryScope, text: str) -> Memory | None:
        """Return a memory that holds and whose text differs from this in case, width, blanks and closing punctuation at most."""
        ...

    async def count(self, scope: MemoryScope, *, levels: Collection[Level] = tuple(Level)) -> int:
        """Return how many memories the scope has at these levels."""
        ...

    async def page(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return up to `limit` memories with numbers above `after`, in number order."""
        ...

    async def at_level(self, scope: MemoryScope, level: Level, *, fading: float, limit: int) -> Sequence[Memory]:
        """Return up to `limit` memories of a level that hold: pinned ones first, then the strongest by fading at that rate a day.

        Equally strong ones come the newer number first.
        """
        ...

    async def faded_below(
        self, scope: MemoryScope, level: Level, threshold: float, *, fading: float, now: datetime, after: int = 0, limit: int
    ) -> Sequence[Memory]:
        """Return memories of a level of which fading at that rate a day leaves less than `threshold`, in number order, none pinned.

        What is left is what `faded_importance` says, to the last bit. Those that no longer hold fade as all others.
        """
        ...

    async def used(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return memories with uses above 0 and numbers above `after`, in number order."""
        ...

    async def deep_groups(self, scope: MemoryScope, *, fading: float, handles: int, limit: int = 30) -> Sequence[HandleGroup]:
        """Return up to `limit` groups of the deep memories that hold, the largest first, each with the handles of its strongest few."""
        ...

    async def about(self, scope: MemoryScope, person_id: str, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return memories whose subject or author is that person, in number order."""
        ...

    async def told_by(self, scope: MemoryScope, person_id: str, *, since: datetime, limit: int) -> Sequence[Memory]:
        """Return the last `limit` memories that this person told since then, newest first."""
        ...

    async def count_told_by(self, scope: MemoryScope, person_id: str, *, since: datetime) -> int:
        """Return how many memories this person told since then."""
        ...

    async def search(
        self, scope: MemoryScope, words: str, *, limit: int, levels: Collection[Level] = tuple(Level)
    ) -> Sequence[tuple[Memory, float]]:
        """Return memories of these levels that hold and share words with `words`, best first, each with a score in 0..1, 0 left out.

        Rare words weigh more, as they are rare in the scope; case, punctuation and width do not matter; texts without blanks (Japanese,
        Chinese) match by pairs of characters. The reply path calls it: it reads an index, never all rows. So of the very many memories
        that share nothing but frequent words, only the newest are looked at.
        """
        ...

    async def fold(self, scope: MemoryScope) -> Fold | None:
        """Return the working block as it was last laid down; None when it has to be laid down anew."""
        ...

    async def set_fold(self, scope: MemoryScope, fold: Fold | None) -> None:
        """Keep the working block, or with None ask for a new one."""
        ...

    async def scopes(self, *, persona_id: str, after: str = "", limit: int) -> Sequence[MemoryScope]:
        """Return a persona's scopes that have memories, in the order of their audiences' texts, those after `after`."""
        ...

    async def copy_persona(self, from_id: str, to_id: str) -> int:
        """Copy all memories of a persona, all but the ids kept; return how many. Raises ValueError when the other has some."""
        ...

    async def remove_persona(self, persona_id: str) -> int:
        """Delete all memories of a persona, their journal, and what jobs noted about its scopes; return how many memories."""
        ...

    async def write_journal(self, entries: Iterable[JournalEntry]) -> None:
        """Add entries to the journal."""
        ...

    async def journal(self, scope: MemoryScope, *, number: int | None = None, limit: int) -> Sequence[JournalEntry]:
        """Return the last entries of the scope, or of one number in it, newest first."""
        ...

    async def journal_of_run(self, scope: MemoryScope, run: str) -> Sequence[JournalEntry]:
        """Return all entries of a run about a scope, in the order they were written."""
        ...

    async def blank_journal(self, memory_id: UUID) -> None:
        """Take every text of a memory out of its journal entries; that it was changed, when and by whom stays."""
        ...
