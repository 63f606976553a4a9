"""What SQLite and PostgreSQL each do in their own way."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import StoreError


class Database(Protocol):
    """A database that transactions can be begun in."""

    async def open(self) -> None:
        """Check it and connect. Raises `StoreDamaged`, `SchemaMismatch` or another `StoreError`, and has changed nothing then."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...

    @property
    def in_use(self) -> int:
        """Return how many connections are in use just now."""
        ...

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Begin a transaction that sees one state of the data and refuses to write."""
        ...

    def writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Begin a transaction that is kept at the end, or undone when the body raises."""
        ...

    async def wipe(self) -> int | None:
        """Let no bytes of deleted rows be left in files of its own; return how many copies were deleted, None to be asked again."""
        ...

    async def tidy(self, *, up_to: int = 0) -> None:
        """Make room for messages to come, at least up to a row, and give back that of those that have gone."""
        ...

    def explained(self, problem: DBAPIError) -> StoreError:
        """Return what a driver's error means, without what was being written."""
        ...
