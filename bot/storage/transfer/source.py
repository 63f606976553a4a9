"""The file that a bot is moved from. It is only ever read."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Table, Tuple, bindparam, func, select, tuple_

from bot.errors import SchemaMismatch, StoreError
from bot.storage.schema import SchemaState
from bot.storage.sqlite_file import explained, file_state, reading
from bot.storage.transfer.canonical import Sum, file_sum, in_sqlite

Key = Sequence[object]
"""The values of a row's primary key."""


def check(path: Path) -> None:
    """Raise `StoreError` unless the file is there and of this program's schema."""
    if not path.exists():
        raise StoreError(f"There is no database {path} to move from. Check the address after --from.")
    match file_state(path):
        case SchemaState.CURRENT:
            return
        case SchemaState.OLDER:
            raise SchemaMismatch(f'{path} was made by an older Baku. Run "baku migrate --db {path}" first, then move it.')
        case SchemaState.NEWER | SchemaState.AHEAD:
            raise SchemaMismatch(f"{path} was written by a newer Baku than this one. Update Baku, then move it.")
        case SchemaState.EMPTY | SchemaState.FOREIGN:
            raise SchemaMismatch(f"{path} holds no Baku. Check the address after --from.")


def stamp(path: Path) -> str:
    """Return what differs as soon as anything was written to the file or to its log."""
    return " ".join(f"{status.st_size}@{status.st_mtime_ns}" for status in _statuses(path))


def _statuses(path: Path) -> Iterator[os.stat_result]:
    yield path.stat()
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        yield log.stat()


class Snapshot:
    """One state of a file, as long as it is open."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    def count(self, table: Table) -> int:
        """Return how many rows a table has."""
        (rows,) = self._connection.execute(in_sqlite(select(func.count()).select_from(table))).fetchone()
        return int(rows)

    def sum(self, table: Table, *, through: Key | None = None) -> Sum:
        """Return the sum of a table's rows, or of those up to a key."""
        if through is None:
            return file_sum(self._connection, table)
        return file_sum(self._connection, table, _key(table) <= _values(through), through)

    def rows(self, table: Table, *, after: Key | None) -> Iterator[tuple[object, ...]]:
        """Return the rows behind a key, or all of them, in the order of their keys; the values are as the file keeps them."""
        statement = select(table).order_by(*table.primary_key.columns)
        if after is not None:
            statement = statement.where(_key(table) > _values(after))
        return self._connection.execute(in_sqlite(statement), after or ())

    def last_id(self, table: Table) -> int:
        """Return the last id that a table has ever given, also to a row that is gone; 0 where that was not noted."""
        found = self._connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table.name,)).fetchone()
        return int(found[0]) if found else 0


@contextmanager
def snapshot(path: Path) -> Iterator[Snapshot]:
    """Give the state that the file has now. Raises `StoreError` where it cannot be read, also in the body."""
    try:
        with reading(path) as connection:
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the state is that of the first look
            yield Snapshot(path, connection)
    except sqlite3.Error as problem:
        raise explained(path, problem) from problem


def _key(table: Table) -> Tuple:
    return tuple_(*table.primary_key.columns)


def _values(key: Key) -> Tuple:
    return tuple_(*(bindparam(None, value) for value in key))
