"""Which memories, and what of the past, stood in the prompts of the last answers."""

import json
from collections.abc import Mapping, Sequence
from functools import cache

from sqlalchemy import Executable, Table, bindparam, delete, select

from bot.domain.memory import RecallNote
from bot.domain.past import CorpusKind, PastNote
from bot.storage.sql.answer_tables import AnswerRecallRow
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of
from bot.storage.sql.tables import MessageRow, RecallRow, Words

KEPT_ANSWERS = 50
"""Of so many answers of a conversation it is kept."""

RECALLS = table_of(AnswerRecallRow)
RECALL_TABLES: tuple[Table, Table] = (RECALLS, table_of(RecallRow))
"""The second is what a program of the release before writes beside a running upgrade; nobody reads it."""
_MESSAGES = table_of(MessageRow)
_HERE = RECALLS.c.conversation == bindparam("here")
_LAST = select(RECALLS.c.notes, RECALLS.c.past).where(_HERE).order_by(RECALLS.c.message_row.desc()).limit(1)
_OF_ROW = select(RECALLS.c.notes, RECALLS.c.past).where(_HERE, RECALLS.c.message_row == bindparam("answer"))
_PLACE = select(_MESSAGES.c.conversation).where(_MESSAGES.c.id == bindparam("row")).scalar_subquery()
_NEWEST = select(RECALLS.c.message_row).where(RECALLS.c.conversation == _PLACE).order_by(RECALLS.c.message_row.desc())
_TRIM = delete(RECALLS).where(
    RECALLS.c.conversation == _PLACE, RECALLS.c.message_row <= _NEWEST.limit(1).offset(KEPT_ANSWERS).scalar_subquery()
)


async def keep_notes(sql: SqlSession, message_row: int, notes: Sequence[RecallNote], past: Sequence[PastNote]) -> None:
    """Keep the notes of an answer, and let go of those of the oldest."""
    if notes or past:
        ordered = sorted((note.number, note.reason, note.used) for note in notes)
        kept_past = _json([(note.kind.value, note.id, note.reason) for note in past]) if past else ""
        await sql.run(_keeping(sql.dialect), {"row": message_row, "kept": _json(ordered), "kept_past": kept_past})
        await sql.run(_TRIM, {"row": message_row})


async def notes_of(sql: SqlSession, conversation: str, row: int | None) -> Sequence[RecallNote]:
    """Return the notes of an answer, or of the last one that has some."""
    found = await _found(sql, conversation, row)
    return [] if found is None else [RecallNote(*note) for note in json.loads(found.notes)]


async def past_notes_of(sql: SqlSession, conversation: str, row: int | None) -> Sequence[PastNote]:
    """Return what of the past stood in the prompt of that answer."""
    found = await _found(sql, conversation, row)
    if found is None or not found.past:
        return []
    return [PastNote(CorpusKind(kind), note_id, reason) for kind, note_id, reason in json.loads(found.past)]


async def take_notes(sql: SqlSession, going: Mapping[str, int]) -> int:
    """Delete the notes of all answers that came after a row, by conversation: what was said there cannot stand in earlier ones."""
    gone = 0
    for table in RECALL_TABLES:
        for place, row in sorted(going.items()):
            gone += await sql.run(delete(table).where(table.c.conversation == place, table.c.message_row >= row), {})
    return gone


async def _found(sql: SqlSession, conversation: str, row: int | None) -> Fields | None:
    if row is None:
        return await sql.row(_LAST, {"here": conversation})
    return await sql.row(_OF_ROW, {"here": conversation, "answer": row})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@cache
def _keeping(dialect: str) -> Executable:
    kept = (bindparam("kept", type_=Words), bindparam("kept_past", type_=Words))
    message = select(_MESSAGES.c.conversation, _MESSAGES.c.id, *kept).where(_MESSAGES.c.id == bindparam("row"))
    insert = insert_into(RECALLS, dialect)
    return insert.from_select(["conversation", "message_row", "notes", "past"], message).on_conflict_do_update(
        index_elements=["message_row"], set_={name: insert.excluded[name] for name in ("notes", "past")}
    )
