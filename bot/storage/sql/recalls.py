"""Which memories, and what of the past, stood in a prompt."""

import json
from collections.abc import Sequence
from functools import cache

from sqlalchemy import Executable, bindparam, select

from bot.domain.memory import RecallNote
from bot.domain.past import CorpusKind, PastNote
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MessageRow, RecallRow, Words

_RECALLS = table_of(RecallRow)
_MESSAGES = table_of(MessageRow)
_LAST = select(_RECALLS.c.notes, _RECALLS.c.past).where(_RECALLS.c.conversation == bindparam("here"))


async def keep_notes(sql: SqlSession, message_row: int, notes: Sequence[RecallNote], past: Sequence[PastNote]) -> None:
    """Keep the notes of a reply in place of those of an earlier one."""
    if notes or past:
        ordered = sorted((note.number, note.reason, note.used) for note in notes)
        kept_past = _json([(note.kind.value, note.id, note.reason) for note in past]) if past else ""
        await sql.run(_keeping(sql.dialect), {"row": message_row, "kept": _json(ordered), "kept_past": kept_past})


async def last_notes(sql: SqlSession, conversation: str) -> Sequence[RecallNote]:
    """Return the notes of a conversation's last reply that has some."""
    row = await sql.row(_LAST, {"here": conversation})
    return [] if row is None else [RecallNote(*note) for note in json.loads(row.notes)]


async def last_past_notes(sql: SqlSession, conversation: str) -> Sequence[PastNote]:
    """Return what of the past stood in the prompt of that reply."""
    row = await sql.row(_LAST, {"here": conversation})
    if row is None or not row.past:
        return []
    return [PastNote(CorpusKind(kind), note_id, reason) for kind, note_id, reason in json.loads(row.past)]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@cache
def _keeping(dialect: str) -> Executable:
    kept = (bindparam("kept", type_=Words), bindparam("kept_past", type_=Words))
    message = select(_MESSAGES.c.conversation, _MESSAGES.c.id, *kept).where(_MESSAGES.c.id == bindparam("row"))
    insert = insert_into(_RECALLS, dialect)
    return insert.from_select(["conversation", "message_row", "notes", "past"], message).on_conflict_do_update(
        index_elements=["conversation"],
        set_={name: insert.excluded[name] for name in ("message_row", "notes", "past")},
        where=insert.excluded.message_row >= _RECALLS.c.message_row,
    )
