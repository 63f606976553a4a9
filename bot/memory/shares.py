"""Memories of a direct chat that their owner has shared with a group: a copy stands there, and goes with what it was copied from.

Both journals tell of it: the original's where the copy is, the copy's what it was copied from.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from bot.domain.chat import MemoryScope, parse_scope
from bot.domain.erasing import Counts, added
from bot.domain.memory import JournalEntry, Memory
from bot.ports.store import Transaction

SHARED = "shared by its owner from a direct chat"
"""The reason in the copy's journal."""
_SENT = "shared with a group"
"""The reason in the original's journal."""
_TO, _FROM = "shared to ", "shared from "
"""How the runs of both lines begin."""
MOST_LINES = 1000
"""Lines of a memory's journal that are looked through."""


def run_of(original: UUID) -> str:
    """Return what the copies of a memory have in common in their journals."""
    return f"{_FROM}{original.hex}"


async def note_shared(tx: Transaction, original: Memory, scope: MemoryScope, *, actor: str, at: datetime) -> None:
    """Keep in a memory's journal to where it was copied."""
    line = JournalEntry(
        memory_id=original.id,
        scope=original.scope,
        number=original.number,
        actor=actor,
        reason=_SENT,
        before=original,
        after=original,
        source_message_ids=(),
        at=at,
        run=f"{_TO}{scope}",
    )
    await tx.memories.write_journal([line])


async def copies_of(tx: Transaction, scope: MemoryScope, number: int, original: UUID) -> Sequence[Memory]:
    """Return the copies of a memory that are still there; the original may be gone, as long as its journal is there."""
    lines = await tx.memories.journal(scope, number=number, limit=MOST_LINES)
    places = {line.run.removeprefix(_TO) for line in lines if line.memory_id == original and line.run.startswith(_TO)}
    found: list[Memory] = []
    for place in map(parse_scope, sorted(places)):
        made = [entry for entry in await tx.memories.journal_of_run(place, run_of(original)) if entry.before is None]
        kept = [(entry, await tx.memories.get(place, entry.number)) for entry in made]
        found += [memory for entry, memory in kept if memory is not None and memory.id == entry.memory_id]
    return found


async def take_copies(tx: Transaction, scope: MemoryScope, number: int, original: UUID, at: datetime) -> Counts:
    """Delete the copies of a memory that is about to be deleted and return what went; late work stores nothing about them."""
    counts: Counts = {}
    for copy in await copies_of(tx, scope, number, original):
        place = str(copy.scope.audience)
        await tx.erasures.hold([place])
        counts = added(counts, await tx.erasures.take_memory(copy.scope, copy.number, copy.id, at))
        await tx.erasures.stamp([place], at)
    return counts
