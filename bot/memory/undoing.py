"""Taking back what a turn did to memory, through the journal."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from bot.domain.chat import MemoryScope
from bot.domain.memory import EditOrigin, JournalEntry
from bot.domain.pending import MOST_PENDING
from bot.domain.persona import MemoryPolicy
from bot.domain.turn import run_of_turn
from bot.memory.edit import MemoryEditor
from bot.memory.shares import take_copies
from bot.ports.store import Transaction

MOST_LINES = 50
"""Lines of a memory's journal among which those of one turn are looked for."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What came of it, in memories."""

    restored: int = 0
    removed: int = 0
    """Added by the turn, and gone again."""
    skipped: int = 0
    """Changed again since: they stay as they are now."""
    lost: int = 0
    """Forgotten by the turn for good."""
    unasked: int = 0
    """Texts that waited to be approved, and do no longer."""

    @property
    def done(self) -> int:
        """Return how many changes are taken back."""
        return self.restored + self.removed + self.unasked


async def edits_of(tx: Transaction, scope: MemoryScope, rows: Collection[int]) -> int:
    """Return how many changes of memory by the turns that answered these messages still stand."""
    standing = [
        number for run in map(run_of_turn, rows) for number in await _numbers(tx, scope, run) if await _lines(tx, scope, number, run)
    ]
    return len(standing) + len(await _pending_of(tx, scope, rows))


async def take_back_edits(tx: Transaction, scope: MemoryScope, rows: Collection[int], origin: EditOrigin, at: datetime) -> TakenBack:
    """Put what the turns that answered these messages have changed back as it was before, each with a line in the journal."""
    done = TakenBack()
    for run in map(run_of_turn, sorted(rows, reverse=True)):
        for number in await _numbers(tx, scope, run):
            done = await _take_back_one(tx, await _lines(tx, scope, number, run), done, origin, at)
    for number in await _pending_of(tx, scope, rows):
        await tx.pending.remove(scope, number)
        done = replace(done, unasked=done.unasked + 1)
    return done


async def _numbers(tx: Transaction, scope: MemoryScope, run: str) -> list[int]:
    """Return the memories that a turn has changed, without those of which that was taken back already."""
    entries = await tx.memories.journal_of_run(scope, run)
    undone = {entry.number: entry.at for entry in await tx.memories.journal_of_run(scope, _undoing(run))}
    last = {entry.number: entry.at for entry in entries}
    return [number for number, at in last.items() if number not in undone or undone[number] < at]


async def _lines(tx: Transaction, scope: MemoryScope, number: int, run: str) -> Sequence[JournalEntry]:
    """Return the memory's last lines, newest first, as far as they are of the turn; none when it has changed since."""
    return list(takewhile(lambda line: line.run == run, await tx.memories.journal(scope, number=number, limit=MOST_LINES)))


async def _take_back_one(tx: Transaction, lines: Sequence[JournalEntry], done: TakenBack, origin: EditOrigin, at: datetime) -> TakenBack:
    if not lines:
        return replace(done, skipped=done.skipped + 1)
    newest, oldest = lines[0], lines[-1]
    if oldest.before is None and newest.after is None:
        return replace(done, lost=done.lost + 1)
    editor = MemoryEditor(tx, oldest.scope, MemoryPolicy(), at)
    if oldest.before is None:
        await take_copies(tx, oldest.scope, oldest.number, oldest.memory_id, at)
        await editor.take_back(oldest.number)
        done = replace(done, removed=done.removed + 1)
    else:
        await editor.restore(oldest.before)
        done = replace(done, restored=done.restored + 1)
    line = replace(newest, actor=origin.actor, reason=origin.reason, before=newest.after, after=oldest.before, at=at)
    await tx.memories.write_journal([replace(line, run=_undoing(newest.run))])
    return done


def _undoing(run: str) -> str:
    return f"{run} undone"


async def _pending_of(tx: Transaction, scope: MemoryScope, rows: Collection[int]) -> list[int]:
    waiting = await tx.pending.page(scope, limit=MOST_PENDING)
    return [pending.number for pending in waiting if pending.source_message_ids and set(pending.source_message_ids) <= set(rows)]
