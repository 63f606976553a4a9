"""What was changed in memories, by whom and why."""

from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, insert, select

from bot.domain.chat import MemoryScope
from bot.domain.memory import JournalEntry
from bot.storage.sql.scopes import SCOPE_ID, opened_scope, scope_columns
from bot.storage.sql.session import SqlSession, table_of
from bot.storage.sql.tables import JournalRow

JOURNAL = table_of(JournalRow)

_ADD = insert(JOURNAL)
_LAST = select(JOURNAL).where(JOURNAL.c.scope_id == SCOPE_ID).order_by(JOURNAL.c.id.desc()).limit(bindparam("most"))


async def write(sql: SqlSession, entries: Iterable[JournalEntry]) -> None:
    """Add entries, in order."""
    for entry in entries:
        values = {
            "memory_id": entry.memory_id,
            "scope_id": await opened_scope(sql, entry.scope, number=entry.number),
            "number": entry.number,
            "actor": entry.actor,
            "reason": entry.reason,
            "before": entry.before,
            "after": entry.after,
            "source_message_ids": list(entry.source_message_ids),
            "at": entry.at,
        }
        await sql.run(_ADD, values)


async def last_entries(sql: SqlSession, scope: MemoryScope, limit: int) -> Sequence[JournalEntry]:
    """Return the last entries of a scope, newest first."""
    return [
        JournalEntry(
            memory_id=row.memory_id,
            scope=scope,
            number=row.number,
            actor=row.actor,
            reason=row.reason,
            before=row.before,
            after=row.after,
            source_message_ids=tuple(row.source_message_ids),
            at=row.at,
        )
        for row in await sql.rows(_LAST, {**scope_columns(scope), "most": limit})
    ]
