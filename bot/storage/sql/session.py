"""Talking to the database within one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Executable, Row, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.sql.tables import BaseRow

Fields: TypeAlias = Row[*tuple[Any, ...]]
"""The values of one row, by name or in order."""


def table_of(row: type[SQLModel]) -> Table:
    """Return the table behind a row class. Columns are read at half the cost of rows."""
    return BaseRow.metadata.tables[str(row.__tablename__)]


def insert_into(table: Table, dialect: str) -> sqlite.Insert | postgresql.Insert:
    """Return an insert that can meet a row which is there already: both databases say it alike, SQLAlchemy does not."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)


class SqlSession:
    """One transaction. Rows go in as SQLModel objects; everything else is a statement over columns.

    Statements are constants with named values: building one and finding it in SQLAlchemy's cache costs more than to run it.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._session: AsyncSession | None = None

    @property
    def dialect(self) -> str:
        """The database's kind: `sqlite` or `postgresql`."""
        return self._connection.dialect.name

    async def rows(self, statement: Executable, values: Mapping[str, object]) -> Sequence[Fields]:
        """Return what a statement gives."""
        return (await self._connection.execute(statement, values)).all()

    async def row(self, statement: Executable, values: Mapping[str, object]) -> Fields | None:
        """Return the first row that a statement gives."""
        return (await self._connection.execute(statement, values)).first()

    async def run(self, statement: Executable, values: Mapping[str, object] | Sequence[Mapping[str, object]]) -> int:
        """Run a statement, once for each set of values, and return how many rows it touched."""
        return (await self._connection.execute(statement, values)).rowcount

    async def add(self, *rows: SQLModel) -> None:
        """Store rows; the keys they were given are in them afterwards."""
        if self._session is None:
            self._session = AsyncSession(self._connection, expire_on_commit=False)
        self._session.add_all(rows)
        await self._session.flush()
