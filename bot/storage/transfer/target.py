"""The server that a bot is moved to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice

import psycopg
from sqlalchemy import BigInteger, Connection, NullPool, Select, Table, bindparam, create_engine, func, literal, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from bot.errors import SchemaMismatch, StoreError
from bot.storage.postgres import explained, name_of, server_state, upgrade_server
from bot.storage.postgres_connection import CONNECT
from bot.storage.schema import SchemaState, newer
from bot.storage.transfer import ledger
from bot.storage.transfer.canonical import Sum, quoted, server_sum
from bot.storage.transfer.ledger import MOVED_TABLES, Move, Step

BATCH = 10_000
"""Rows a transaction."""
_ONE_AT_A_TIME = int.from_bytes(b"MOVE")
_LOCK_TIMEOUT = "55P03"
_SESSION = (
    "SET TIME ZONE 'UTC'",
    "SET synchronous_commit = off",  # a power cut may take the last batches, together with the notes of them
    "SET lock_timeout = '10s'",
)


class Target:
    """A server's database while something is moved into it. Nobody else moves anything into it meanwhile."""

    def __init__(self, url: URL, connection: Connection) -> None:
        self._url = url
        self._connection = connection

    @property
    def name(self) -> str:
        """What the database is called in a message."""
        return name_of(self._url)

    def move(self) -> Move | None:
        """Return the move that the database was or is filled by."""
        with self._connection.begin():
            return ledger.move_of(self._connection)

    def begin(self, move: Move) -> None:
        """Begin a move. Raises `StoreError` where the database holds anything."""
        with self._connection.begin():
            for table in MOVED_TABLES:
                if self._connection.execute(select(literal(1)).select_from(table).limit(1)).first():
                    raise StoreError(f"{self.name} is not empty: there is something in {table.name}. Name an empty database after --to.")
            ledger.begin(self._connection, move)

    def note_stamp(self, stamp: str) -> None:
        """Note what the source is now."""
        with self._connection.begin():
            ledger.note_stamp(self._connection, stamp)

    def empty(self) -> None:
        """Take back all that a move has brought."""
        names = ", ".join(quoted(table.name) for table in MOVED_TABLES)
        with self._connection.begin():
            self._connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY"))
            ledger.forget(self._connection)

    def steps(self) -> Mapping[str, Step]:
        """Return how far the move has come, by table; one that is not begun is missing."""
        with self._connection.begin():
            return ledger.steps(self._connection)

    def bring(self, table: Table, rows: Iterator[tuple[object, ...]]) -> Iterator[int]:
        """Add rows batch by batch, each in one transaction with the note of it, and yield how many each batch had."""
        while count := self._bring_batch(table, rows):
            yield count

    def _bring_batch(self, table: Table, rows: Iterator[tuple[object, ...]]) -> int:
        names = [column.name for column in table.columns]
        places = [names.index(column.name) for column in table.primary_key.columns]
        keys: list[list[object]] = []
        statement = f"COPY {quoted(table.name)} ({', '.join(map(quoted, names))}) FROM STDIN"
        with self._connection.begin():
            with _naming_rows(table, keys), self._driver().cursor() as cursor, cursor.copy(statement.encode()) as copy:
                for row in islice(rows, BATCH):
                    keys.append([row[place] for place in places])
                    copy.write_row(row)
            if keys:
                ledger.note(self._connection, table.name, keys[-1], len(keys))
        return len(keys)

    def sum(self, table: Table) -> Sum:
        """Return the sum of a table's rows."""
        with self._connection.begin():
            return server_sum(self._connection, table)

    def finish(self, last_ids: Mapping[Table, int]) -> None:
        """Let each table go on behind the last id that was ever given, and note that all is there."""
        with self._connection.begin():
            self._connection.execute(text("SET LOCAL synchronous_commit = on"))
            for table, last_id in last_ids.items():
                self._connection.execute(_go_on(table), {"last": last_id})
            ledger.finish(self._connection)
        with self._connection.begin():
            self._connection.execute(text("ANALYZE"))

    def _driver(self) -> "psycopg.Connection[tuple[object, ...]]":
        driver = self._connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        return driver


def _go_on(table: Table) -> Select[*tuple[int]]:
    column = table.autoincrement_column
    assert column is not None
    last = (
        select(func.greatest(bindparam("last", type_=BigInteger), select(func.max(column)).scalar_subquery()).label("last"))
        .subquery()
        .c.last
    )
    sequence = func.pg_get_serial_sequence(quoted(table.name), column.name)
    return select(func.setval(sequence, func.greatest(last, 1), last > 0))


@contextmanager
def target(url: URL) -> Iterator[Target]:
    """Give a database with our tables to move something into. Raises `StoreError` where it cannot serve, also in the body."""
    engine = create_engine(url.set(drivername="postgresql+psycopg"), poolclass=NullPool, hide_parameters=True, connect_args=CONNECT)
    try:
        with engine.connect() as connection:
            with connection.begin():
                for statement in _SESSION:
                    connection.execute(text(statement))
                connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": _ONE_AT_A_TIME})
            _check_schema(url)
            yield Target(url, connection)
    except DBAPIError as problem:
        if getattr(problem.orig, "sqlstate", None) == _LOCK_TIMEOUT:
            raise StoreError(
                f"Another process moves something into {name_of(url)} just now. Wait for its end, then try again."
            ) from problem
        raise explained(url, problem) from problem


def _check_schema(url: URL) -> None:
    match server_state(url):
        case SchemaState.EMPTY:
            upgrade_server(url)
        case SchemaState.OLDER:
            raise SchemaMismatch(f'{name_of(url)} was made by an older Baku. Upgrade it first: "baku migrate" with its address in BAKU_DB.')
        case SchemaState.NEWER | SchemaState.AHEAD:
            raise newer(name_of(url))
        case _:
            return


@contextmanager
def _naming_rows(table: Table, keys: Sequence[Sequence[object]]) -> Iterator[None]:
    """Say of a row that the server does not take which one it is, and nothing of what is in it."""
    try:
        yield
    except psycopg.OperationalError as problem:
        raise StoreError("The connection to the server was lost. Run the same command again: it goes on from here.") from problem
    except psycopg.Error as problem:
        raise StoreError(
            f"PostgreSQL does not take the row {_refused(problem, keys)} of {table.name} ({type(problem).__name__}, {problem.sqlstate}). "
            "Mend or delete it in the source, then run the same command again."
        ) from None


def _refused(problem: psycopg.Error, keys: Sequence[Sequence[object]]) -> Sequence[object]:
    """Return the key of the row that was refused: the last one, unless the server names another."""
    line = re.search(r"line (\d+)", problem.diag.context or "")
    return keys[int(line[1]) - 1] if line else keys[-1]
