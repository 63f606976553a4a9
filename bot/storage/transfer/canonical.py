"""Checksums of whole tables, equal where the rows are: whatever their order, and whichever database counts them.

Each value is written as text that both databases can make of their own form of it, each with its length before it, so that no two rows
are written alike. A row's digest is two numbers of 64 bits; a table's checksum is the sums of them.
"""

import sqlite3
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import starmap
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Date,
    Double,
    Integer,
    LargeBinary,
    Select,
    String,
    Table,
    Uuid,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.types import TypeDecorator, TypeEngine

from bot.storage.sql.tables import Moment

_SQLITE = sqlite.dialect()
_AS_IT_IS = ("{0}", "{0}::text")
_FORMS: Mapping[type[TypeEngine[Any]], tuple[str, str]] = {
    Moment: (
        "CASE WHEN substr({0}, 11, 1) || substr({0}, 27) = ' +00:00' THEN substr({0}, 1, 26) ELSE moment_text({0}) END",
        "to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
    ),
    Uuid: ("lower(replace({0}, '-', ''))", "replace({0}::text, '-', '')"),
    Boolean: ("{0}", "{0}::int::text"),
    Double: ("double_text({0})", "encode(float8send({0}), 'hex')"),
    Date: ("{0}", "to_char({0}, 'YYYY-MM-DD')"),
    LargeBinary: ("lower(hex({0}))", "encode({0}, 'hex')"),
    JSON: _AS_IT_IS,
    Integer: _AS_IT_IS,
    String: _AS_IT_IS,
}
"""A value's text on SQLite and on PostgreSQL. A moment is mostly kept in the form that is wanted; that spares a call of Python."""
_LENGTH = "coalesce(length({0}) || ':' || {0}, '~')"
_HALVES: list[ColumnElement[int]] = [
    literal_column(f"coalesce(sum(('x' || substr(digest, {start}, 16))::bit(64)::bigint), 0)") for start in (1, 17)
]


@dataclass(frozen=True, slots=True)
class Sum:
    """How many rows a table has, and what they add up to."""

    rows: int
    checksum: str


def quoted(name: str) -> str:
    """Return the name of a table or column of ours as both databases take it, also where it is a word of their language."""
    return f'"{name}"'


def file_sum(
    connection: sqlite3.Connection, table: Table, condition: ColumnElement[bool] | None = None, values: Sequence[object] = ()
) -> Sum:
    """Return the sum of a table's rows in a file, or of those of a condition."""
    _teach(connection)
    statement: Select[*tuple[Any, ...]] = select(literal_column(f"row_sum({_row_text(table, 0)})")).select_from(table)
    (found,) = connection.execute(in_sqlite(statement if condition is None else statement.where(condition)), values).fetchone()
    rows, first, second = map(int, str(found or "0 0 0").split())  # SQLite asks an aggregate of ours nothing where there is no row
    return Sum(rows, _checksum(first, second))


def in_sqlite(statement: Select[*tuple[Any, ...]]) -> str:
    """Return a statement in the words of SQLite, each bound value a question mark."""
    return str(statement.compile(dialect=_SQLITE))


def server_sum(connection: Connection, table: Table) -> Sum:
    """Return the sum of a table's rows on a server."""
    digest: ColumnElement[str] = literal_column(f"encode(sha256(convert_to({_row_text(table, 1)}, 'UTF8')), 'hex')")
    digests = select(digest.label("digest")).select_from(table).offset(0).subquery()  # which reckons it once
    rows, *halves = connection.execute(select(func.count(), *_HALVES).select_from(digests)).one()
    return Sum(rows, _checksum(*map(int, halves)))


def _row_text(table: Table, side: int) -> str:
    return " || ".join(starmap(_LENGTH.format, ((each,) for each in _values(table, side))))


def _values(table: Table, side: int) -> Iterator[str]:
    for column in table.columns:
        yield _form(column)[side].format(quoted(column.name))


def _form(column: Column[object]) -> tuple[str, str]:
    kept_as = column.type.impl_instance if isinstance(column.type, TypeDecorator) and not isinstance(column.type, Moment) else column.type
    for kind, form in _FORMS.items():
        if isinstance(kept_as, kind):
            return form
    raise ValueError(f"{column} is of a type that has no canonical text; give it one in {__name__}.")


def _checksum(first: int, second: int) -> str:
    return f"{first % 2**64:016x}{second % 2**64:016x}"


def _teach(connection: sqlite3.Connection) -> None:
    """Teach SQLite what it has no words for."""
    connection.create_function("moment_text", 1, _moment_text, deterministic=True)
    connection.create_function("double_text", 1, _double_text, deterministic=True)
    connection.create_aggregate("row_sum", 1, _RowSum)  # type: ignore[arg-type] # typeshed knows no result that is text


def _moment_text(kept: str | None) -> str | None:
    return None if kept is None else datetime.fromisoformat(kept).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def _double_text(kept: float | None) -> str | None:
    return None if kept is None else struct.pack(">d", kept).hex()


class _RowSum:
    """Adds rows up for SQLite."""

    def __init__(self) -> None:
        self._rows = self._first = self._second = 0

    def step(self, row: str) -> None:
        first, second = struct.unpack_from(">qq", sha256(row.encode()).digest())
        self._rows += 1
        self._first += first
        self._second += second

    def finalize(self) -> str:
        return f"{self._rows} {self._first} {self._second}"
