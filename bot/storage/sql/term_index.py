"""The terms that memories are found by: a row each, keyed (scope, term, memory)."""

from collections.abc import Mapping

from sqlalchemy import bindparam, delete, insert, select

from bot.domain.terms import terms
from bot.storage.sql.memory_rows import MEMORIES
from bot.storage.sql.session import SqlSession, table_of
from bot.storage.sql.tables import MemoryTermRow

TERMS = table_of(MemoryTermRow)

_ADD = insert(TERMS)
_FORGET = delete(TERMS).where(TERMS.c.memory_row == bindparam("memory"))
_ORIGINAL, _TWIN = MEMORIES.alias("original"), MEMORIES.alias("twin")
_COPY = insert(TERMS).from_select(
    ["scope_id", "term", "memory_row"],
    select(_TWIN.c.scope_id, TERMS.c.term, _TWIN.c.id)
    .join_from(TERMS, _ORIGINAL, _ORIGINAL.c.id == TERMS.c.memory_row)
    .join(_TWIN, _TWIN.c.number == _ORIGINAL.c.number)
    .where(TERMS.c.scope_id == bindparam("source"), _TWIN.c.scope_id == bindparam("target")),
)


async def index_terms(sql: SqlSession, scope_id: int, texts: Mapping[int, str]) -> None:
    """Make memories findable by their texts, which stand under the ids of their rows."""
    rows = [{"scope_id": scope_id, "term": term, "memory_row": row} for row, text in texts.items() for term in sorted(terms(text))]
    if rows:
        await sql.run(_ADD, rows)


async def forget_terms(sql: SqlSession, memory_row: int) -> None:
    """Make a memory findable by nothing."""
    await sql.run(_FORGET, {"memory": memory_row})


async def copy_terms(sql: SqlSession, source: int, target: int) -> None:
    """Make the memories of one scope findable as those of the same numbers in another are."""
    await sql.run(_COPY, {"source": source, "target": target})
