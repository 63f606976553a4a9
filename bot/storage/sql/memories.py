"""Memories."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from sqlalchemy import Executable, bindparam, delete, func, insert, literal, or_, select, update

from bot.domain.chat import MemoryScope
from bot.domain.memory import Fold, HandleGroup, JournalEntry, Level, Memory
from bot.storage.sql import journal, persona_memories, scopes, strength
from bot.storage.sql.memory_rows import LEVEL_PLACES, MEMORIES, MEMORY_COLUMNS, level_values, memory_columns, memory_of, text_digest
from bot.storage.sql.scopes import SCOPE_ID, scope_columns
from bot.storage.sql.session import SqlSession
from bot.storage.sql.term_index import forget_terms, index_terms
from bot.storage.sql.term_search import search_terms

_COLUMN = MEMORIES.c
_HIGHEST_NUMBER = 2**63 - 1
"""What the databases can compare; a model may ask for any number."""
_HANDLE = re.compile("[0-9a-fA-F]{8}")
_ALL_LEVELS = tuple(Level)
_HERE = _COLUMN.scope_id == SCOPE_ID
_THIS_ONE = _HERE & (_COLUMN.number == bindparam("wanted"))
_IS_USED = _COLUMN.uses > literal(0, literal_execute=True)
"""Written out, not bound: only so do the databases see that the partial index serves."""
_NEXT = select(*MEMORY_COLUMNS).where(_HERE, _COLUMN.number > bindparam("after")).order_by(_COLUMN.number).limit(bindparam("most"))

_ADD = insert(MEMORIES).returning(_COLUMN.id, sort_by_parameter_order=True)
_FIND = select(_COLUMN.id, _COLUMN.scope_id, _COLUMN.text).where(_THIS_ONE)
_PUT = update(MEMORIES).where(_COLUMN.id == bindparam("row"))
_THESE = _HERE & _COLUMN.number.in_(bindparam("numbers", expanding=True))
_MOVE = update(MEMORIES).where(_THESE).values(level=bindparam("new_level"), used_at=func.coalesce(bindparam("now_used"), _COLUMN.used_at))
_REMOVE = delete(MEMORIES).where(_THIS_ONE)
_GET = select(*MEMORY_COLUMNS).where(_THIS_ONE)
_SEVERAL = select(*MEMORY_COLUMNS).where(_THESE).order_by(_COLUMN.number)
# A sum is in no index: it keeps SQLite from walking the whole scope where a narrower index leads to a row or two.
_BY_HANDLE = (
    select(*MEMORY_COLUMNS).where(_COLUMN.uuid.between(bindparam("first"), bindparam("last")), _COLUMN.scope_id + 0 == SCOPE_ID).limit(2)
)
_SAME_TEXT = (
    select(*MEMORY_COLUMNS)
    .where(_HERE, _COLUMN.text_digest == bindparam("digest"), _COLUMN.ended_at.is_(None))
    .order_by(_COLUMN.number + 0)
    .limit(1)
)
_COUNT = select(func.count()).where(_HERE, _COLUMN.level.in_([bindparam(place) for place in LEVEL_PLACES]))
_USED = _NEXT.where(_IS_USED)
_TOLD = (_HERE, _COLUMN.author_id == bindparam("person"), _COLUMN.created_at >= bindparam("since", type_=_COLUMN.created_at.type))
_TOLD_BY = select(*MEMORY_COLUMNS).where(*_TOLD).order_by(_COLUMN.created_at.desc(), _COLUMN.number.desc()).limit(bindparam("most"))
_COUNT_TOLD_BY = select(func.count()).where(*_TOLD)
_ABOUT = _NEXT.where(or_(_COLUMN.subject_id == bindparam("person"), _COLUMN.author_id == bindparam("person")))


class SqlMemories:
    """Fulfils `bot.ports.memories.Memories`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def reserve_number(self, scope: MemoryScope) -> int:
        """Return the scope's next number."""
        await self._hold(scope)
        return await scopes.next_number(self._sql, scope)

    async def add(self, *memories: Memory) -> None:
        """Store memories and what they are found by."""
        for scope, those in groupby(memories, key=lambda memory: memory.scope):
            await self._add(scope, list(those))

    async def put(self, memory: Memory) -> bool:
        """Store a new state, and what it is found by when that has changed."""
        await self._hold(memory.scope)
        known = await self._sql.row(_FIND, _one(memory.scope, memory.number))
        if known is None:
            return False
        await self._sql.run(_PUT, {"row": known.id, **memory_columns(memory)})
        if known.text != memory.text:
            await forget_terms(self._sql, known.id)
            await index_terms(self._sql, known.scope_id, {known.id: memory.text})
        return True

    async def move(self, scope: MemoryScope, numbers: Sequence[int], level: Level, *, used_at: datetime | None = None) -> None:
        """Put memories at a level."""
        await self._hold(scope)
        values = {"numbers": _comparable(numbers), "new_level": level.value, "now_used": used_at}
        await self._sql.run(_MOVE, {**scope_columns(scope), **values})

    async def remove(self, scope: MemoryScope, number: int) -> bool:
        """Delete a memory; what it is found by goes with it."""
        await self._hold(scope)
        return await self._sql.run(_REMOVE, _one(scope, number)) > 0

    async def get(self, scope: MemoryScope, number: int) -> Memory | None:
        """Return one memory."""
        await self._hold(scope)
        row = await self._sql.row(_GET, _one(scope, number))
        return None if row is None else memory_of(row, scope)

    async def several(self, scope: MemoryScope, numbers: Sequence[int]) -> Sequence[Memory]:
        """Return those that are there."""
        await self._hold(scope)
        return await self._several(scope, _SEVERAL, {"numbers": _comparable(numbers)})

    async def by_handle(self, scope: MemoryScope, handle: str) -> Memory | None:
        """Return the one that a handle names."""
        await self._hold(scope)
        if not _HANDLE.fullmatch(handle):
            return None
        ids = {"first": UUID(handle + "0" * 24), "last": UUID(handle + "f" * 24)}
        found = await self._several(scope, _BY_HANDLE, ids)
        return found[0] if len(found) == 1 else None

    async def same_text(self, scope: MemoryScope, text: str) -> Memory | None:
        """Return the first that says just this."""
        await self._hold(scope)
        row = await self._sql.row(_SAME_TEXT, {**scope_columns(scope), "digest": text_digest(text)})
        return None if row is None else memory_of(row, scope)

    async def count(self, scope: MemoryScope, *, levels: Collection[Level] = _ALL_LEVELS) -> int:
        """Return how many there are."""
        ((count,),) = await self._sql.rows(_COUNT, {**scope_columns(scope), **level_values(levels)})
        return int(count)

    async def page(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return memories in number order."""
        return await self._several(scope, _NEXT, {"after": after, "most": limit})

    async def at_level(self, scope: MemoryScope, level: Level, *, fading: float, limit: int) -> Sequence[Memory]:
        """Return the strongest of a level."""
        await self._hold(scope)
        return await strength.at_level(self._sql, scope, level, fading=fading, limit=limit)

    async def faded_below(
        self, scope: MemoryScope, level: Level, threshold: float, *, fading: float, now: datetime, after: int = 0, limit: int
    ) -> Sequence[Memory]:
        """Return the weak ones of a level."""
        await self._hold(scope)
        return await strength.faded_below(self._sql, scope, level, threshold, fading=fading, now=now, after=after, limit=limit)

    async def used(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return what was used, in number order."""
        await self._hold(scope)
        return await self._several(scope, _USED, {"after": after, "most": limit})

    async def deep_groups(self, scope: MemoryScope, *, fading: float, handles: int, limit: int = 30) -> Sequence[HandleGroup]:
        """Return the deep ones by group."""
        return await strength.deep_groups(self._sql, scope, fading=fading, handles=handles, limit=limit)

    async def about(self, scope: MemoryScope, person_id: str, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return what is about a person or said by them."""
        return await self._several(scope, _ABOUT, {"person": person_id, "after": after, "most": limit})

    async def told_by(self, scope: MemoryScope, person_id: str, *, since: datetime, limit: int) -> Sequence[Memory]:
        """Return the last that a person told."""
        await self._hold(scope)
        return await self._several(scope, _TOLD_BY, {"person": person_id, "since": since, "most": limit})

    async def count_told_by(self, scope: MemoryScope, person_id: str, *, since: datetime) -> int:
        """Return how many a person told."""
        await self._hold(scope)
        ((count,),) = await self._sql.rows(_COUNT_TOLD_BY, {**scope_columns(scope), "person": person_id, "since": since})
        return int(count)

    async def search(
        self, scope: MemoryScope, words: str, *, limit: int, levels: Collection[Level] = _ALL_LEVELS
    ) -> Sequence[tuple[Memory, float]]:
        """Return what shares words."""
        rows = await search_terms(self._sql, scope, words, levels=levels, limit=limit)
        return [(memory_of(row, scope), min(row.score, 1.0)) for row in rows]

    async def fold(self, scope: MemoryScope) -> Fold | None:
        """Return the working block."""
        await self._hold(scope)
        return await scopes.fold_of(self._sql, scope)

    async def set_fold(self, scope: MemoryScope, fold: Fold | None) -> None:
        """Keep the working block, or drop it."""
        await self._hold(scope)
        if fold is None:
            await scopes.drop_fold(self._sql, scope)
        else:
            await scopes.keep_fold(self._sql, scope, fold)

    async def scopes(self, *, persona_id: str, after: str = "", limit: int) -> Sequence[MemoryScope]:
        """Return a persona's scopes that have memories."""
        return await scopes.scopes_with_memories(self._sql, persona_id, after=after, limit=limit)

    async def copy_persona(self, from_id: str, to_id: str) -> int:
        """Copy a persona's memories."""
        return await persona_memories.copy(self._sql, from_id, to_id)

    async def remove_persona(self, persona_id: str) -> int:
        """Delete a persona's memories and what was told of them."""
        return await persona_memories.remove(self._sql, persona_id)

    async def write_journal(self, entries: Iterable[JournalEntry]) -> None:
        """Add to the journal."""
        await journal.write(self._sql, entries)

    async def journal(self, scope: MemoryScope, *, number: int | None = None, limit: int) -> Sequence[JournalEntry]:
        """Return the last entries."""
        if number is None:
            return await journal.last_entries(self._sql, scope, limit)
        return await journal.last_entries_of_one(self._sql, scope, _known(number), limit)

    async def journal_of_run(self, scope: MemoryScope, run: str) -> Sequence[JournalEntry]:
        """Return the entries of a run."""
        return await journal.entries_of_run(self._sql, scope, run)

    async def blank_journal(self, memory_id: UUID) -> None:
        """Take a memory's texts out of the journal."""
        await journal.blank(self._sql, memory_id)

    async def _add(self, scope: MemoryScope, memories: Sequence[Memory]) -> None:
        await self._hold(scope)
        scope_id = await scopes.opened_scope(self._sql, scope, number=max(memory.number for memory in memories))
        rows = await self._sql.rows(_ADD, [{"scope_id": scope_id, **memory_columns(memory)} for memory in memories])
        await index_terms(self._sql, scope_id, {row.id: memory.text for row, memory in zip(rows, memories, strict=True)})

    async def _hold(self, scope: MemoryScope) -> None:
        """Let nobody change what a writer has read of a scope before it writes: of two that write there, one comes after the other."""
        await self._sql.hold(str(scope))

    async def _several(self, scope: MemoryScope, statement: Executable, values: Mapping[str, object]) -> Sequence[Memory]:
        return [memory_of(row, scope) for row in await self._sql.rows(statement, {**scope_columns(scope), **values})]


def _one(scope: MemoryScope, number: int) -> dict[str, object]:
    return {**scope_columns(scope), "wanted": _known(number)}


def _known(number: int) -> int:
    """Return the number, or 0, which nothing has, for one that no database compares."""
    return number if 0 < number <= _HIGHEST_NUMBER else 0


def _comparable(numbers: Iterable[int]) -> list[int]:
    return [number for number in numbers if _known(number)]
