"""What a queue is told by a transaction."""

from collections.abc import Awaitable, Callable, Mapping

from sqlalchemy import text

from bot.storage.sql.session import SqlSession


class SqlHandover:
    """Fulfils `bot.ports.store.Handover` with SQL."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql
        self._calls: list[Callable[[], Awaitable[None]]] = []

    async def run(self, statement: str, values: Mapping[str, object]) -> None:
        """Run a queue's own statement."""
        await self._sql.run(text(statement), values)

    def afterwards(self, call: Callable[[], Awaitable[None]]) -> None:
        """Keep what is to be called after the commit."""
        self._calls.append(call)

    async def committed(self) -> None:
        """Call what waits for the commit."""
        for call in self._calls:
            await call()
