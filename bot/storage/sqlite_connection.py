"""A connection to SQLite that goes to its thread once for each statement."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar
from weakref import WeakSet

import aiosqlite

_Fields = Sequence[Any]
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a statement. No cursor leaves its thread: while one is held somewhere, a connection that is closed keeps its lock."""

    rows: list[_Fields]
    description: Any
    rowcount: int
    lastrowid: int | None


class OneTripConnection(aiosqlite.Connection):
    """What SQLAlchemy needs of aiosqlite, whose own cursors go to the thread four times to read a row."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(partial(self._open, connect), iter_chunk_size=64)
        self._connected: sqlite3.Connection | None = None
        self._stopped: asyncio.Future[None] | None = None
        self._opening = ""
        self._thread.daemon = True  # a program that fails to close it must end all the same

    def stop(self) -> asyncio.Future[None] | None:
        """Close after the statements that wait, and end the thread; it is done even if nobody awaits what is returned."""
        if self._running:
            self._tx.put_nowait((None, self._close))
            self._stopped = super().stop()
        return self._stopped

    async def close(self) -> None:
        """Close when the statements that wait are done."""
        stopped = self.stop()
        if stopped:
            await asyncio.wait([stopped])
        self._connection = None

    def cursor(self) -> "OneTripCursor":  # type: ignore[override] # aiosqlite goes to the thread to make one
        """Return a cursor, at once."""
        return OneTripCursor(self)

    def begin_with(self, statement: str) -> None:
        """Begin a transaction by that statement; it goes to the thread with the first one that follows."""
        self._opening = statement

    async def commit(self) -> None:
        """End the transaction, if one was begun."""
        if not self._was_empty():
            await self._in_thread(self._conn.commit)

    async def rollback(self) -> None:
        """Take the transaction back, if one was begun."""
        if self._running and not self._was_empty():
            await self._in_thread(self._conn.rollback)

    async def run(self, sql: str, parameters: _Fields) -> Outcome:
        """Run a statement and return what came of it."""
        return await self._in_thread(self._run, sql, parameters)

    async def run_many(self, sql: str, parameters: Iterable[_Fields]) -> Outcome:
        """Run a statement for each of the parameters and return what came of it."""
        return await self._in_thread(self._run_many, sql, parameters)

    def _open(self, connect: Callable[[], sqlite3.Connection]) -> sqlite3.Connection:
        self._connected = connect()
        return self._connected

    def _close(self) -> None:
        if self._connected is not None:
            self._connected.close()

    async def _connect(self) -> "OneTripConnection":
        await super()._connect()
        if not self._running:  # ended while it was being opened: the thread has closed it
            self._connection = None
            raise _too_late()
        return self

    def _run(self, sql: str, parameters: _Fields) -> Outcome:
        self._begin()
        with closing(self._conn.execute(sql, parameters)) as cursor:
            return _outcome(cursor, cursor.fetchall())

    def _run_many(self, sql: str, parameters: Iterable[_Fields]) -> Outcome:
        self._begin()
        with closing(self._conn.executemany(sql, parameters)) as cursor:
            return _outcome(cursor, [])

    def _begin(self) -> None:
        opening, self._opening = self._opening, ""
        if opening:
            self._conn.execute(opening)

    def _was_empty(self) -> bool:
        opening, self._opening = self._opening, ""
        return bool(opening)

    async def _in_thread(self, call: Callable[..., _Result], *arguments: object) -> _Result:
        if not self._running:
            raise _too_late()
        result: _Result = await self._execute(call, *arguments)  # type: ignore[no-untyped-call] # aiosqlite leaves it untyped
        return result


class OneTripCursor:
    """The part of a cursor that SQLAlchemy uses."""

    def __init__(self, connection: OneTripConnection) -> None:
        self._connection = connection
        self._rows: list[_Fields] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: _Fields = ()) -> None:
        """Run a statement."""
        self._note(await self._connection.run(sql, parameters))

    async def executemany(self, sql: str, parameters: Iterable[_Fields]) -> None:
        """Run a statement for each of the parameters."""
        self._note(await self._connection.run_many(sql, parameters))

    async def fetchall(self) -> list[_Fields]:
        """Return the rows."""
        return self._rows

    async def close(self) -> None:
        """Do nothing: the rows are here already."""

    def _note(self, outcome: Outcome) -> None:
        self._rows, self.description = outcome.rows, outcome.description
        self.rowcount, self.lastrowid = outcome.rowcount, outcome.lastrowid


class OneTripConnections:
    """Makes the connections to a file, and ends all of them.

    SQLAlchemy's pool knows neither those that are in use when it is disposed of, nor those that were being made when
    their task was cancelled.
    """

    def __init__(self) -> None:
        self._made: WeakSet[OneTripConnection] = WeakSet()
        self._closed = False

    def open(self) -> None:
        """Let connections be made, again after they were closed."""
        self._closed = False

    def connect(self, database: str, *, pragmas: Sequence[str] = (), **settings: Any) -> OneTripConnection:
        """Return a connection for SQLAlchemy to await, with those PRAGMAs set; the settings are those of `sqlite3.connect`.

        Raises sqlite3.ProgrammingError once they are closed: who comes late must not open the file again.
        """
        if self._closed:
            raise _too_late()
        connection = OneTripConnection(partial(_set_up, database, pragmas, **settings))
        self._made.add(connection)
        return connection

    async def close(self) -> None:
        """End every connection when the statement it runs is done; a transaction that was not committed is taken back."""
        self._closed = True
        stopped = [end for connection in self._made if (end := connection.stop())]
        if stopped:
            await asyncio.wait(stopped)


def _set_up(database: str, pragmas: Sequence[str], **settings: Any) -> sqlite3.Connection:
    connection: sqlite3.Connection = sqlite3.connect(database, **settings)
    with ExitStack() as undo:
        undo.callback(connection.close)
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()
        undo.pop_all()
    return connection


def _too_late() -> sqlite3.ProgrammingError:
    return sqlite3.ProgrammingError("it was closed")


def _outcome(cursor: sqlite3.Cursor, rows: list[_Fields]) -> Outcome:
    return Outcome(rows, cursor.description, cursor.rowcount, cursor.lastrowid)
