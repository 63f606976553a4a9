"""The walls between memories, and the numbers handed out behind each."""

from functools import cache

from sqlalchemy import Executable, bindparam, case, select

from bot.domain.chat import Audience, AudienceKind, MemoryScope
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MemoryScopeRow

SCOPES = table_of(MemoryScopeRow)
_COLUMN = SCOPES.c
_KEY = ("persona_id", "audience_kind", "audience_id")

SCOPE_ID = select(_COLUMN.id).where(*(_COLUMN[name] == bindparam(name) for name in _KEY)).scalar_subquery()
"""The id of the scope whose columns a statement is run with; NULL, which equals nothing, when it has no row."""
_OF_PERSONA = select(SCOPES).where(_COLUMN.persona_id == bindparam("persona_id")).order_by(_COLUMN.id)


def scope_columns(scope: MemoryScope) -> dict[str, str]:
    """Return the scope as columns."""
    return {"persona_id": scope.persona_id, "audience_kind": scope.audience.kind.value, "audience_id": scope.audience.id}


async def next_number(sql: SqlSession, scope: MemoryScope) -> int:
    """Return the scope's next number, and keep that it was handed out."""
    ((number,),) = await sql.rows(_next_number(sql.dialect), {**scope_columns(scope), "last_number": 1})
    return int(number)


async def opened_scope(sql: SqlSession, scope: MemoryScope, *, number: int) -> int:
    """Return the scope's id, after making sure that `number` counts as handed out."""
    ((scope_id,),) = await sql.rows(_opened_scope(sql.dialect), {**scope_columns(scope), "last_number": number})
    return int(scope_id)


async def scopes_of(sql: SqlSession, persona_id: str) -> dict[int, tuple[Audience, int]]:
    """Return the audiences of a persona's scopes by scope id, each with its last number."""
    rows = await sql.rows(_OF_PERSONA, {"persona_id": persona_id})
    return {row.id: (Audience(AudienceKind(row.audience_kind), row.audience_id), row.last_number) for row in rows}


@cache
def _next_number(dialect: str) -> Executable:
    insert = insert_into(SCOPES, dialect)
    return insert.on_conflict_do_update(index_elements=_KEY, set_={"last_number": _COLUMN.last_number + 1}).returning(_COLUMN.last_number)


@cache
def _opened_scope(dialect: str) -> Executable:
    insert = insert_into(SCOPES, dialect)
    given = insert.excluded.last_number
    highest = case((given > _COLUMN.last_number, given), else_=_COLUMN.last_number)
    return insert.on_conflict_do_update(index_elements=_KEY, set_={"last_number": highest}).returning(_COLUMN.id)
