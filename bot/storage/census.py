"""How much a database holds."""

from dataclasses import dataclass

from sqlalchemy import Table, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.address import database_at
from bot.storage.sql.session import table_of
from bot.storage.sql.tables import MemoryRow, MessageRow, OutboxRow


@dataclass(frozen=True, slots=True)
class Census:
    """How many there are of what."""

    messages: int
    memories: int
    unsent: int
    """Replies that wait to be sent."""


async def census(url: str) -> Census:
    """Return how much a database holds whose schema is current; any other is first brought up to date."""
    database = database_at(url)
    await database.open()
    try:
        async with database.reading() as connection:
            return Census(
                messages=await _rows(connection, table_of(MessageRow)),
                memories=await _rows(connection, table_of(MemoryRow)),
                unsent=await _rows(connection, table_of(OutboxRow)),
            )
    finally:
        await database.close()


async def _rows(connection: AsyncConnection, table: Table) -> int:
    return await connection.scalar(select(func.count()).select_from(table)) or 0
