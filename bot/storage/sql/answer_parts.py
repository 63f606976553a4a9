"""Which platform messages show an answer, beside its first."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from sqlalchemy import ColumnElement, Executable, Integer, String, bindparam, or_, select

from bot.storage.sql.answer_tables import AnswerPartRow
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MessageRow

PARTS, _MESSAGES = table_of(AnswerPartRow), table_of(MessageRow)
_OF_ROWS = (
    select(PARTS.c.message_row, PARTS.c.message_id)
    .where(PARTS.c.message_row.in_(bindparam("rows", expanding=True)))
    .order_by(PARTS.c.message_row, PARTS.c.number)
)


async def keep_part(sql: SqlSession, row: int, number: int, message_id: str) -> None:
    """Keep the id of a further part; of an answer that is gone, nothing."""
    await sql.run(_keeping(sql.dialect), {"row": row, "part": number, "new_id": message_id})


async def parts_of(sql: SqlSession, rows: Collection[int]) -> Mapping[int, Sequence[str]]:
    """Return the ids of further parts in order, by row; answers without any are left out."""
    found = defaultdict[int, list[str]](list)
    for row in await sql.rows(_OF_ROWS, {"rows": list(rows)}):
        found[row.message_row].append(row.message_id)
    return found


def shows(conversation: str, message_ids: Collection[str]) -> ColumnElement[bool]:
    """Return what holds for messages of a conversation that have one of these ids, or a part that has."""
    ids = sorted(message_ids)
    parts = select(PARTS.c.message_row).where(PARTS.c.conversation == conversation, PARTS.c.message_id.in_(ids))
    return or_(_MESSAGES.c.message_id.in_(ids), _MESSAGES.c.id.in_(parts))


@cache
def _keeping(dialect: str) -> Executable:
    values = (bindparam("part", type_=Integer), bindparam("new_id", type_=String))
    answer = select(_MESSAGES.c.conversation, _MESSAGES.c.id, *values).where(_MESSAGES.c.id == bindparam("row"))
    insert = insert_into(PARTS, dialect).from_select(["conversation", "message_row", "number", "message_id"], answer)
    return insert.on_conflict_do_nothing()
