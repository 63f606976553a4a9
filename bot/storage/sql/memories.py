"""Memories."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Executable, bindparam, delete, func, insert, or_, select, update

from bot.domain.chat import MemoryScope
from bot.domain.memory import JournalEntry, Memory
from bot.storage.sql import journal, persona_memories
from bot.storage.sql.memory_rows import MEMORIES, MEMORY_COLUMNS, memory_of
from bot.storage.sql.people import person_columns
from bot.storage.sql.scopes import SCOPE_ID, next_number, opened_scope, scope_columns
from bot.storage.sql.session import SqlSession
from bot.storage.sql.term_index import forget_terms, index_terms, search_terms

_COLUMN = MEMORIES.c
_HIGHEST_NUMBER = 2**63 - 1
"""What the databases can compare; a model may ask for any number."""
_HERE = _COLUMN.scope_id == SCOPE_ID
_THIS_ONE = _HERE & (_COLUMN.number == bindparam("wanted"))
_NEXT = select(*MEMORY_COLUMNS).where(_HERE, _COLUMN.number > bindparam("after")).order_by(_COLUMN.number).limit(bindparam("most"))

_ADD = insert(MEMORIES).returning(_COLUMN.id)
_GET = select(*MEMORY_COLUMNS).where(_THIS_ONE)
_COUNT = select(func.count()).select_from(MEMORIES).where(_HERE)
_ABOUT = _NEXT.where(or_(_COLUMN.subject_id == bindparam("person"), _COLUMN.author_id == bindparam("person")))
_LATEST = select(*MEMORY_COLUMNS).where(_HERE).order_by(_COLUMN.updated_at.desc(), _COLUMN.number.desc()).limit(bindparam("most"))
_REVISE = (
    update(MEMORIES)
    .where(_THIS_ONE)
    .values(text=bindparam("new_text"), updated_at=bindparam("revised_at"))
    .returning(_COLUMN.id, _COLUMN.scope_id)
)
_REMOVE = delete(MEMORIES).where(_THIS_ONE)


class SqlMemories:
    """Fulfils `bot.ports.store.Memories`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def reserve_number(self, scope: MemoryScope) -> int:
        """Return the scope's next number."""
        return await next_number(self._sql, scope)

    async def add(self, memory: Memory) -> None:
        """Store a memory and what it is found by."""
        scope_id = await opened_scope(self._sql, memory.scope, number=memory.number)
        values = {
            "uuid": memory.id,
            "scope_id": scope_id,
            "number": memory.number,
            "text": memory.text,
            **person_columns("subject", memory.subject),
            **person_columns("author", memory.author),
            "source_message_ids": list(memory.source_message_ids),
            "created_at": memory.created_at,
            "updated_at": memory.updated_at,
        }
        ((row,),) = await self._sql.rows(_ADD, values)
        await index_terms(self._sql, scope_id, row, memory.text)

    async def revise(self, scope: MemoryScope, number: int, text: str, at: datetime) -> bool:
        """Replace a text and what it is found by."""
        values = {**_one(scope, number), "new_text": text, "revised_at": at}
        revised = await self._sql.row(_REVISE, values)
        if revised is None:
            return False
        await forget_terms(self._sql, revised.id)
        await index_terms(self._sql, revised.scope_id, revised.id, text)
        return True

    async def remove(self, scope: MemoryScope, number: int) -> bool:
        """Delete a memory; what it is found by goes with it."""
        return await self._sql.run(_REMOVE, _one(scope, number)) > 0

    async def get(self, scope: MemoryScope, number: int) -> Memory | None:
        """Return one memory."""
        row = await self._sql.row(_GET, _one(scope, number))
        return None if row is None else memory_of(row, scope)

    async def count(self, scope: MemoryScope) -> int:
        """Return how many there are."""
        ((count,),) = await self._sql.rows(_COUNT, scope_columns(scope))
        return int(count)

    async def page(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return memories in number order."""
        return await self._several(scope, _NEXT, {"after": after, "most": limit})

    async def latest(self, scope: MemoryScope, *, limit: int) -> Sequence[Memory]:
        """Return the last changed."""
        return await self._several(scope, _LATEST, {"most": limit})

    async def about(self, scope: MemoryScope, person_id: str, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return what is about a person or said by them."""
        return await self._several(scope, _ABOUT, {"person": person_id, "after": after, "most": limit})

    async def search(self, scope: MemoryScope, words: str, *, limit: int) -> Sequence[tuple[Memory, float]]:
        """Return what shares words."""
        return [(memory_of(row, scope), min(row.score, 1.0)) for row in await search_terms(self._sql, scope, words, limit)]

    async def copy_persona(self, from_id: str, to_id: str) -> int:
        """Copy a persona's memories."""
        return await persona_memories.copy(self._sql, from_id, to_id)

    async def remove_persona(self, persona_id: str) -> int:
        """Delete a persona's memories and journal."""
        return await persona_memories.remove(self._sql, persona_id)

    async def write_journal(self, entries: Iterable[JournalEntry]) -> None:
        """Add to the journal."""
        await journal.write(self._sql, entries)

    async def journal(self, scope: MemoryScope, *, limit: int) -> Sequence[JournalEntry]:
        """Return the last entries."""
        return await journal.last_entries(self._sql, scope, limit)

    async def _several(self, scope: MemoryScope, statement: Executable, values: Mapping[str, object]) -> Sequence[Memory]:
        return [memory_of(row, scope) for row in await self._sql.rows(statement, {**scope_columns(scope), **values})]


def _one(scope: MemoryScope, number: int) -> dict[str, object]:
    return {**scope_columns(scope), "wanted": number if 0 < number <= _HIGHEST_NUMBER else 0}
