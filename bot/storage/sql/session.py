"""Talking to the database within one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Executable, Row, Table, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from bot.storage.sql.tables import BaseRow

Fields: TypeAlias = Row[*tuple[Any, ...]]
"""The values of one row, by name or in order."""

_HOLD = text("SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(CAST(:names AS text[])) AS held (name)")


def table_of(row: type[SQLModel]) -> Table:
    """Return the table behind a row class."""
    return BaseRow.metadata.tables[str(row.__tablename__)]


def insert_into(table: Table, dialect: str) -> sqlite.Insert | postgresql.Insert:
    """Return an insert that can meet a row which is there already: both databases say it alike, SQLAlchemy does not."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)


class SqlSession:
    """One transaction.

    Give it constant statements with named values: to build a statement and find it in SQLAlchemy's cache costs more than to run it.
    """

    def __init__(self, connection: AsyncConnection, *, writes: bool) -> None:
        self._connection = connection
        self._has_rivals = writes and connection.dialect.name != "sqlite"  # which has one writer at a time
        self._held: set[str] = set()
        self._read: dict[tuple[object, ...], Sequence[Fields]] = {}

    @property
    def dialect(self) -> str:
        """The database's kind: `sqlite` or `postgresql`."""
        return self._connection.dialect.name

    async def hold(self, *names: str) -> None:
        """Wait until no other writer holds the names, one after the other, and hold them to the end of this transaction.

        A reader holds nothing.
        """
        fresh = [name for name in names if name not in self._held] if self._has_rivals else []
        if fresh:
            await self._connection.execute(_HOLD, {"names": fresh})
            self._held.update(fresh)
            self._read.clear()  # whoever held it before may have written

    async def rows(self, statement: Executable, values: Mapping[str, object] | Sequence[Mapping[str, object]]) -> Sequence[Fields]:
        """Return what a statement gives, one after the other for each set of values; one that is written as a text only reads."""
        self._note(statement)
        return (await self._connection.execute(statement, values)).all()

    async def known_rows(self, statement: Executable, values: Mapping[str, str]) -> Sequence[Fields]:
        """Return what a constant statement gives; asked again it is not run again, until this transaction writes something."""
        key = (statement, *values.items())
        if key not in self._read:
            self._read[key] = await self.rows(statement, values)
        return self._read[key]

    async def row(self, statement: Executable, values: Mapping[str, object]) -> Fields | None:
        """Return the first row that a statement gives."""
        self._note(statement)
        return (await self._connection.execute(statement, values)).first()

    async def run(self, statement: Executable, values: Mapping[str, object] | Sequence[Mapping[str, object]]) -> int:
        """Run a statement, once for each set of values, and return how many rows it touched."""
        self._read.clear()
        return (await self._connection.execute(statement, values)).rowcount

    def _note(self, statement: Executable) -> None:
        if not (statement.is_select or statement.is_text):
            self._read.clear()
