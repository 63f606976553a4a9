"""The walls between memories: the numbers handed out behind each, and the working block as it was laid down."""

import json
from collections.abc import Sequence
from functools import cache

from sqlalchemy import Executable, bindparam, case, collate, exists, select, tuple_, update

from bot.domain.chat import Audience, AudienceKind, MemoryScope
from bot.domain.memory import Fold, HandleGroup
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MemoryRow, MemoryScopeRow

SCOPES = table_of(MemoryScopeRow)
_COLUMN = SCOPES.c
_KEY = ("persona_id", "audience_kind", "audience_id")

SCOPE_ID = select(_COLUMN.id).where(*(_COLUMN[name] == bindparam(name) for name in _KEY)).scalar_subquery()
"""The id of the scope whose columns a statement is run with; NULL, which equals nothing, when it has no row."""
_OF_PERSONA = select(SCOPES).where(_COLUMN.persona_id == bindparam("persona")).order_by(_COLUMN.id)
_FOLD = select(_COLUMN.fold).where(_COLUMN.id == SCOPE_ID)
_SET_FOLD = update(SCOPES).where(_COLUMN.id == bindparam("scope")).values(fold=bindparam("new_fold"))
_DROP_FOLD = update(SCOPES).where(*(_COLUMN[name] == bindparam(f"of_{name}") for name in _KEY)).values(fold=None)
_DROP_FOLDS = update(SCOPES).where(_COLUMN.persona_id == bindparam("persona")).values(fold=None)


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
    rows = await sql.rows(_OF_PERSONA, {"persona": persona_id})
    return {row.id: (_audience(row.audience_kind, row.audience_id), row.last_number) for row in rows}


async def scopes_with_memories(sql: SqlSession, persona_id: str, *, after: str, limit: int) -> Sequence[MemoryScope]:
    """Return a persona's scopes that have memories, in the order of their audiences' texts."""
    kind, _, audience_id = after.partition("/")
    values = {"persona": persona_id, "after_kind": kind, "after_id": audience_id, "most": limit}
    rows = await sql.rows(_next_scopes(sql.dialect), values)
    return [MemoryScope(persona_id, _audience(row.audience_kind, row.audience_id)) for row in rows]


async def fold_of(sql: SqlSession, scope: MemoryScope) -> Fold | None:
    """Return the working block of a scope."""
    row = await sql.row(_FOLD, scope_columns(scope))
    if row is None or row.fold is None:
        return None
    working, left_out, handles, groups = json.loads(row.fold)
    return Fold(
        working=tuple(working),
        left_out=tuple(left_out),
        handles=tuple(handles),
        groups=tuple(HandleGroup(name, count, tuple(shown)) for name, count, shown in groups),
    )


async def keep_fold(sql: SqlSession, scope: MemoryScope, fold: Fold) -> None:
    """Keep the working block of a scope."""
    groups = [(group.name, group.count, group.handles) for group in fold.groups]
    kept = json.dumps((fold.working, fold.left_out, fold.handles, groups), ensure_ascii=False, separators=(",", ":"))
    await sql.run(_SET_FOLD, {"scope": await opened_scope(sql, scope, number=0), "new_fold": kept})


async def drop_fold(sql: SqlSession, scope: MemoryScope) -> None:
    """Forget the working block of a scope."""
    await sql.run(_DROP_FOLD, {f"of_{name}": part for name, part in scope_columns(scope).items()})


async def drop_folds(sql: SqlSession, persona_id: str) -> None:
    """Forget all working blocks of a persona."""
    await sql.run(_DROP_FOLDS, {"persona": persona_id})


def _audience(kind: str, audience_id: str) -> Audience:
    return Audience(AudienceKind(kind), audience_id)


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


@cache
def _next_scopes(dialect: str) -> Executable:
    # The order of code points, whatever the server's language. No kind begins another, so that kind and id sort as their text does.
    by_code_point = "C" if dialect == "postgresql" else "BINARY"
    kind, audience_id = collate(_COLUMN.audience_kind, by_code_point), collate(_COLUMN.audience_id, by_code_point)
    memories = table_of(MemoryRow)
    return (
        select(_COLUMN.audience_kind, _COLUMN.audience_id)
        .where(
            _COLUMN.persona_id == bindparam("persona"),
            tuple_(kind, audience_id) > tuple_(bindparam("after_kind"), bindparam("after_id")),
            exists().where(memories.c.scope_id == _COLUMN.id),
        )
        .order_by(kind, audience_id)
        .limit(bindparam("most"))
    )
