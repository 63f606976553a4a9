"""SQLite: one file, many readers, one writer at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir
from uuid import uuid4

from sqlalchemy import Connection, QueuePool, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import LRUCache

from bot.errors import StoreError
from bot.storage.sqlite_connection import OneTripConnection, OneTripConnections
from bot.storage.sqlite_file import BUSY_SECONDS, explained, make_ready
from bot.storage.sqlite_wiping import wipe_file

_READERS = 4
_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = NORMAL",  # a killed process loses nothing; a power cut may take the last moments, never the file
    "foreign_keys = ON",
    "secure_delete = ON",  # what is forgotten leaves the pages, too
)


class SharedDialect(SQLiteDialect_aiosqlite):
    """Equal to every other one, so that readers and writers, of one file and of many, share the statements that were compiled."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SharedDialect)

    def __hash__(self) -> int:
        return hash(SharedDialect)

    def on_connect(self) -> None:  # type: ignore[override] # it has nothing to give
        """Leave a new connection as it is: the functions that SQLAlchemy would add are not used."""


registry.register("sqlite.shared", __name__, SharedDialect.__name__)
_COMPILED: LRUCache[object, object] = LRUCache(1000)
"""Statements with named places alone: what people said is bound to them, never part of them."""


class SqliteDatabase:
    """Fulfils `bot.storage.database.Database` with a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._write_lock = asyncio.Lock()
        self._read_places = asyncio.Semaphore(_READERS)  # the pool's own queue refuses who waits, and forgets them when it is closed
        self._connections = OneTripConnections()
        self._writer = _engine(path, self._connections, at_once=1, begin="BEGIN IMMEDIATE", pragmas=_PRAGMAS)
        self._reader = _engine(path, self._connections, at_once=_READERS, begin="BEGIN", pragmas=(*_PRAGMAS, "query_only = ON"))

    async def open(self) -> None:
        """Make the file ready, and connect."""
        await asyncio.to_thread(make_ready, self._path)
        self._connections.open()
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self.close)
            try:
                async with self._writer.connect():
                    undo.pop_all()
            except DBAPIError as problem:
                raise self.explained(problem) from problem

    async def close(self) -> None:
        """Disconnect, whoever still reads or writes; the last program to do so tidies the write-ahead log away."""
        await self._connections.close()
        await self._reader.dispose()
        await self._writer.dispose()

    @property
    def in_use(self) -> int:
        """Return how many readers and writers are at work."""
        return sum(pool.checkedout() for pool in (self._reader.pool, self._writer.pool) if isinstance(pool, QueuePool))

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Begin a transaction on one state of the data."""
        async with self._read_places, self._reader.begin() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Begin a transaction when the one before is done, of this program and of any other."""
        async with self._write_lock, self._writer.begin() as connection:
            yield connection

    async def wipe(self) -> int | None:
        """Write the file anew while nobody else of this program writes."""
        async with self._write_lock:
            return await asyncio.to_thread(wipe_file, self._path)

    async def tidy(self, *, up_to: int = 0) -> None:
        """Do nothing: a file grows by itself, and uses its free pages first."""

    def explained(self, problem: DBAPIError) -> StoreError:
        """Return what SQLite's error means."""
        return explained(self._path, problem.orig)


class TemporaryDatabase(SqliteDatabase):
    """A file that is made when it is opened and gone when it is closed."""

    def __init__(self) -> None:
        self._folder = Path(gettempdir()) / f"baku-{uuid4().hex}"
        super().__init__(self._folder / "baku.db")

    async def close(self) -> None:
        """Disconnect and delete the file."""
        await super().close()
        await asyncio.to_thread(rmtree, self._folder, ignore_errors=True)


def _engine(path: Path, connections: OneTripConnections, *, at_once: int, begin: str, pragmas: tuple[str, ...]) -> AsyncEngine:
    engine = create_async_engine(
        URL.create("sqlite+shared", database=str(path)),
        execution_options={"compiled_cache": _COMPILED},
        pool_size=at_once,
        max_overflow=0,
        pool_reset_on_return=None,  # every transaction is ended where it is begun
        hide_parameters=True,  # a logged error must not hold what people said
        connect_args={"async_creator_fn": connections.connect, "pragmas": pragmas, "isolation_level": None, "timeout": BUSY_SECONDS},
    )

    def begin_with(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert isinstance(driver, OneTripConnection)
        driver.begin_with(begin)

    event.listen(engine.sync_engine, "begin", begin_with)
    return engine
