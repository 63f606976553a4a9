"""Long lists of ids in statements."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from sqlalchemy import ColumnElement, String, Table, cast, delete, or_, true

from bot.storage.sql.session import SqlSession

MOST_IDS = 500
"""So many stand in one statement."""
_FEW = 20
T = TypeVar("T", int, str)


def in_batches(ids: Iterable[T]) -> Iterator[Sequence[T]]:
    """Yield ids, some at once."""
    ordered = sorted(set(ids))
    return (ordered[start : start + MOST_IDS] for start in range(0, len(ordered), MOST_IDS))


async def delete_where(sql: SqlSession, table: Table, *conditions: ColumnElement[bool]) -> int:
    """Delete rows of a table; return how many there were."""
    return await sql.run(delete(table).where(*conditions), {})


def may_cite(column: ColumnElement[object], rows: Sequence[int]) -> ColumnElement[bool]:
    """Return what holds where a JSON list may name one of a few numbers, and everywhere when they are many."""
    if len(rows) > _FEW:
        return true()
    return or_(*(cast(column, String).contains(str(row)) for row in rows))
