"""The store that everything is kept in."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.errors import StoreError
from bot.storage.address import database_at
from bot.storage.sql.corpus.cache import DEFAULT_BYTES, CorpusCache
from bot.storage.sql.transaction import SqlTransaction, transaction_on


class SqlStore:
    """Fulfils `bot.ports.store.Store` on SQLite or PostgreSQL, as the address says.

    `sqlite:///data/baku.db` is a file below the working folder, `sqlite:////var/lib/baku.db` one from the root, `sqlite://` one
    that is gone when the store is closed; `postgresql://user:password@host/name` is a server.
    What search reads of conversations stays in memory up to `cache_bytes`.
    """

    def __init__(self, url: str, *, cache_bytes: int = DEFAULT_BYTES) -> None:
        self._database = database_at(url)
        self._cache = CorpusCache(cache_bytes)
        self._is_open = False

    async def open(self) -> None:
        """Connect and check."""
        await self._database.open()
        self._is_open = True

    async def close(self) -> None:
        """Disconnect."""
        self._is_open = False
        self._cache.clear()
        await self._database.close()

    @property
    def connections_in_use(self) -> int:
        """Say how many connections are in use just now."""
        return self._database.in_use

    @asynccontextmanager
    async def read(self) -> AsyncIterator[SqlTransaction]:
        """Give a consistent view."""
        with self._explained():
            async with self._database.reading() as connection:
                yield transaction_on(connection, cache=self._cache)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[SqlTransaction]:
        """Give a transaction."""
        with self._explained():
            async with self._database.writing() as connection:
                tx = transaction_on(connection, writes=True, cache=self._cache)
                yield tx
        await tx.handover.committed()

    async def wipe(self) -> int | None:
        """Let nothing that was deleted be left in files or in memory."""
        with self._explained():
            self._cache.clear()
            return await self._database.wipe()

    async def tidy(self, *, up_to: int = 0) -> None:
        """Make room for messages to come, at least up to a row, and give back that of those that have gone."""
        with self._explained():
            await self._database.tidy(up_to=up_to)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        if not self._is_open:
            raise StoreError("The store is not open: open it first.")
        try:
            yield
        except DBAPIError as problem:
            raise self._database.explained(problem) from problem
        except PoolTimeout as problem:
            raise StoreError("All connections to the database were in use for 30 seconds; try again when less is going on.") from problem
