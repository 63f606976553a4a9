"""What was changed in memories, by whom and why."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from sqlalchemy import bindparam, insert, literal, select, update

from bot.domain.chat import MemoryScope
from bot.domain.memory import JournalEntry
from bot.storage.sql.scopes import SCOPE_ID, opened_scope, scope_columns
from bot.storage.sql.session import Fields, SqlSession, table_of
from bot.storage.sql.snapshots import memory_in, snapshot
from bot.storage.sql.tables import JournalRow

JOURNAL = table_of(JournalRow)
_COLUMN = JOURNAL.c
_NAMES_A_RUN = _COLUMN.run != literal("", literal_execute=True)
"""Written out, not bound: only so do the databases see that the partial index serves."""

_ADD = insert(JOURNAL)
_LAST = select(JOURNAL).where(_COLUMN.scope_id == SCOPE_ID).order_by(_COLUMN.id.desc()).limit(bindparam("most"))
_LAST_OF_ONE = _LAST.where(_COLUMN.number == bindparam("wanted"))
_OF_RUN = select(JOURNAL).where(_COLUMN.run == bindparam("wanted"), _NAMES_A_RUN, _COLUMN.scope_id == SCOPE_ID).order_by(_COLUMN.id)
_BLANK = update(JOURNAL).where(_COLUMN.memory_id == bindparam("memory")).values(before="", after="")


async def write(sql: SqlSession, entries: Iterable[JournalEntry]) -> None:
    """Add entries, in order."""
    told = list(entries)
    highest: dict[MemoryScope, int] = {}
    for entry in told:
        highest[entry.scope] = max(entry.number, highest.get(entry.scope, 0))
    scope_ids = {scope: await opened_scope(sql, scope, number=number) for scope, number in highest.items()}
    if told:
        await sql.run(_ADD, [_columns(entry, scope_ids[entry.scope]) for entry in told])


async def last_entries(sql: SqlSession, scope: MemoryScope, limit: int) -> Sequence[JournalEntry]:
    """Return the last entries of a scope, newest first."""
    return [_entry(row, scope) for row in await sql.rows(_LAST, {**scope_columns(scope), "most": limit})]


async def last_entries_of_one(sql: SqlSession, scope: MemoryScope, number: int, limit: int) -> Sequence[JournalEntry]:
    """Return the last entries of one memory, newest first."""
    values = {**scope_columns(scope), "wanted": number, "most": limit}
    return [_entry(row, scope) for row in await sql.rows(_LAST_OF_ONE, values)]


async def entries_of_run(sql: SqlSession, scope: MemoryScope, run: str) -> Sequence[JournalEntry]:
    """Return all entries of a run about a scope, in order."""
    return [_entry(row, scope) for row in await sql.rows(_OF_RUN, {**scope_columns(scope), "wanted": run})]


async def blank(sql: SqlSession, memory_id: UUID) -> None:
    """Take the texts of one memory away."""
    await sql.run(_BLANK, {"memory": memory_id})


def _columns(entry: JournalEntry, scope_id: int) -> dict[str, object]:
    return {
        "memory_id": entry.memory_id,
        "scope_id": scope_id,
        "number": entry.number,
        "actor": entry.actor,
        "reason": entry.reason,
        "before": snapshot(entry.before),
        "after": snapshot(entry.after),
        "source_message_ids": list(entry.source_message_ids),
        "at": entry.at,
        "run": entry.run,
    }


def _entry(row: Fields, scope: MemoryScope) -> JournalEntry:
    entry = JournalEntry(
        memory_id=row.memory_id,
        scope=scope,
        number=row.number,
        actor=row.actor,
        reason=row.reason,
        before=None,
        after=None,
        source_message_ids=tuple(row.source_message_ids),
        at=row.at,
        run=row.run,
    )
    return replace(entry, before=memory_in(row.before, entry), after=memory_in(row.after, entry))
