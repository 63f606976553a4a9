"""Earlier dreams of a scope: when the last one was, taking one back, and letting go of what one forgot."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from bot.domain.chat import MemoryScope, parse_scope
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.memory import JournalEntry
from bot.memory.dreams.apply import Undone, take_back
from bot.memory.dreams.limits import DreamLimits
from bot.ports.store import Store, Transaction

BATCH = 10
"""Memories a transaction."""
_LOOKED_THROUGH = 100


async def last_kept(store: Store, subject: str) -> JobRecord | None:
    """Return the last dream of a scope that was carried out to its end, undone ones among them."""
    async with store.read() as tx:
        last = await tx.nights.last(DREAM, subject)
        if last is None or last.state is not JobState.FAILED:
            return last
        history = await tx.nights.history(job=DREAM, subject=subject, limit=_LOOKED_THROUGH)
    return next((record for record in history if record.state in {JobState.DONE, JobState.UNDONE}), None)


async def keep(store: Store, record: JobRecord) -> None:
    """Note how a dream ended. Of one that was cut off and gone on with, an end that came to nothing leaves the first note, to be undone."""
    came_to_nothing = record.state in {JobState.SKIPPED, JobState.REFUSED}
    async with store.write() as tx:
        if not (came_to_nothing and await tx.nights.get(record.run)):
            await tx.nights.finish(record)


async def undo(store: Store, run: str, *, at: datetime, limits: DreamLimits | None = None) -> Undone | None:
    """Take a dream back and return what came of it; None when there is no such dream to be undone."""
    async with store.read() as tx:
        record = await tx.nights.get(run)
    if record is None or record.job != DREAM or record.state not in {JobState.DONE, JobState.FAILED}:
        return None
    undone = await take_back(store, parse_scope(record.subject), run, at=at, limits=limits or DreamLimits())
    counts = {**(record.counts or {}), "restored": undone.restored, "not_restored": undone.skipped, "lost": undone.lost}
    async with store.write() as tx:
        await tx.nights.finish(replace(record, state=JobState.UNDONE, counts=counts))
    return undone


async def let_go_of_earlier(store: Store, scope: MemoryScope, run: str) -> None:
    """Blank in the journal what dreams before this run forgot, back to the last one for which that was done."""
    async with store.read() as tx:
        history = await tx.nights.history(job=DREAM, subject=str(scope), limit=_LOOKED_THROUGH)
    for record in history:
        if record.run != run and record.state in {JobState.DONE, JobState.FAILED}:
            await _let_go(store, scope, record.run)
        if record.run != run and record.state is JobState.DONE:
            return


async def _let_go(store: Store, scope: MemoryScope, run: str) -> None:
    async with store.read() as tx:
        gone = await _still_gone(tx, scope, [entry for entry in await tx.memories.journal_of_run(scope, run) if _is_removal(entry)])
    for start in range(0, len(gone), BATCH):
        async with store.write() as tx:
            for memory_id in gone[start : start + BATCH]:
                await tx.memories.blank_journal(memory_id)


async def _still_gone(tx: Transaction, scope: MemoryScope, removals: list[JournalEntry]) -> list[UUID]:
    there = {memory.id for memory in await tx.memories.several(scope, [entry.number for entry in removals])}
    return [entry.memory_id for entry in removals if entry.memory_id not in there]


def _is_removal(entry: JournalEntry) -> bool:
    return entry.before is not None and entry.after is None
