"""What waits to be approved."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Executable, bindparam, delete, insert, select

from bot.domain.chat import MemoryScope
from bot.domain.message import Person
from bot.domain.pending import MOST_PENDING, MOST_PENDING_OF_ONE, PendingMemory
from bot.storage.sql.pending_tables import PendingMemoryRow
from bot.storage.sql.people import person_columns
from bot.storage.sql.scopes import SCOPE_ID, SCOPES, opened_scope, scope_columns
from bot.storage.sql.session import Fields, SqlSession, table_of

_PENDING = table_of(PendingMemoryRow)
_COLUMN = _PENDING.c
_HERE = _COLUMN.scope_id == SCOPE_ID
_THIS_ONE = _HERE & (_COLUMN.number == bindparam("wanted"))

_ADD = insert(_PENDING)
_PAGE = select(_PENDING).where(_HERE, _COLUMN.number > bindparam("after")).order_by(_COLUMN.number).limit(bindparam("most"))
_GET = select(_PENDING).where(_THIS_ONE)
_REMOVE = delete(_PENDING).where(_THIS_ONE)
_SURPLUS = select(_COLUMN.number).where(_HERE).order_by(_COLUMN.number.desc()).offset(bindparam("kept"))
_SURPLUS_OF_ONE = _SURPLUS.where(_COLUMN.author_id == bindparam("author"))
_REMOVE_SEVERAL = delete(_PENDING).where(_HERE, _COLUMN.number.in_(bindparam("numbers", expanding=True)))
_OF_PERSONA = select(SCOPES.c.id).where(SCOPES.c.persona_id == bindparam("persona"))
_REMOVE_OF_PERSONA = delete(_PENDING).where(_COLUMN.scope_id.in_(_OF_PERSONA))


class SqlPendingMemories:
    """Fulfils `bot.ports.pending.PendingMemories`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def add(self, pending: PendingMemory) -> None:
        """Store a text, and let the oldest go where there are too many."""
        await self._sql.hold(str(pending.scope))
        scope_id = await opened_scope(self._sql, pending.scope, number=pending.number)
        await self._sql.run(_ADD, {"scope_id": scope_id, **_columns(pending)})
        here = scope_columns(pending.scope)
        await self._trim(_SURPLUS_OF_ONE, {**here, "author": pending.author.id, "kept": MOST_PENDING_OF_ONE})
        await self._trim(_SURPLUS, {**here, "kept": MOST_PENDING})

    async def page(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[PendingMemory]:
        """Return texts in number order."""
        rows = await self._sql.rows(_PAGE, {**scope_columns(scope), "after": after, "most": limit})
        return [_pending(row, scope) for row in rows]

    async def get(self, scope: MemoryScope, number: int) -> PendingMemory | None:
        """Return one text."""
        await self._sql.hold(str(scope))
        row = await self._sql.row(_GET, {**scope_columns(scope), "wanted": _known(number)})
        return None if row is None else _pending(row, scope)

    async def remove(self, scope: MemoryScope, number: int) -> bool:
        """Delete a text."""
        await self._sql.hold(str(scope))
        return await self._sql.run(_REMOVE, {**scope_columns(scope), "wanted": _known(number)}) > 0

    async def _trim(self, surplus: Executable, values: Mapping[str, object]) -> None:
        numbers = [number for (number,) in await self._sql.rows(surplus, values)]
        if numbers:
            await self._sql.run(_REMOVE_SEVERAL, {**values, "numbers": numbers})


async def remove_of_persona(sql: SqlSession, persona_id: str) -> None:
    """Delete all that waits for one persona."""
    await sql.run(_REMOVE_OF_PERSONA, {"persona": persona_id})


def _known(number: int) -> int:
    """Return the number, or 0, which nothing has, for one that no database compares."""
    return number if 0 < number < 2**63 else 0


def _columns(pending: PendingMemory) -> dict[str, object]:
    return {
        "number": pending.number,
        "text": pending.text,
        **person_columns("author", pending.author),
        **person_columns("subject", pending.subject),
        "source_message_ids": list(pending.source_message_ids),
        "reason": pending.reason,
        "at": pending.at,
        "importance": pending.importance,
        "group_name": pending.group,
    }


def _pending(row: Fields, scope: MemoryScope) -> PendingMemory:
    subject = Person(row.subject_id, row.subject_name, row.subject_is_bot, row.subject_is_service) if row.subject_id is not None else None
    return PendingMemory(
        scope=scope,
        number=row.number,
        text=row.text,
        author=Person(row.author_id, row.author_name, row.author_is_bot, row.author_is_service),
        subject=subject,
        source_message_ids=tuple(row.source_message_ids),
        reason=row.reason,
        at=row.at,
        importance=row.importance,
        group=row.group_name,
    )
