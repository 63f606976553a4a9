"""Which memories stood in a prompt."""

import json
from collections.abc import Sequence
from functools import cache

from sqlalchemy import Executable, String, bindparam, select

from bot.domain.memory import RecallNote
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MessageRow, RecallRow

_RECALLS = table_of(RecallRow)
_MESSAGES = table_of(MessageRow)
_LAST = select(_RECALLS.c.notes).where(_RECALLS.c.conversation == bindparam("here"))


async def keep_notes(sql: SqlSession, message_row: int, notes: Sequence[RecallNote]) -> None:
    """Keep the notes of a reply in place of those of an earlier one."""
    if notes:
        ordered = sorted((note.number, note.reason, note.used) for note in notes)
        kept = json.dumps(ordered, ensure_ascii=False, separators=(",", ":"))
        await sql.run(_keeping(sql.dialect), {"row": message_row, "kept": kept})


async def last_notes(sql: SqlSession, conversation: str) -> Sequence[RecallNote]:
    """Return the notes of a conversation's last reply that has some."""
    row = await sql.row(_LAST, {"here": conversation})
    return [] if row is None else [RecallNote(*note) for note in json.loads(row.notes)]


@cache
def _keeping(dialect: str) -> Executable:
    message = select(_MESSAGES.c.conversation, _MESSAGES.c.id, bindparam("kept", type_=String)).where(_MESSAGES.c.id == bindparam("row"))
    insert = insert_into(_RECALLS, dialect)
    return insert.from_select(["conversation", "message_row", "notes"], message).on_conflict_do_update(
        index_elements=["conversation"],
        set_={"message_row": insert.excluded.message_row, "notes": insert.excluded.notes},
        where=insert.excluded.message_row >= _RECALLS.c.message_row,
    )
