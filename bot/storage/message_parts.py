"""The tables that a server's messages stand in, cut by their order of arrival: room for those to come, and an end for empty ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

SIZE = 50_000_000
"""Messages a table."""
AHEAD = 4
"""Tables that stand ready. At three thousand messages a second they last for eighteen hours."""

_TABLES = text("""
    SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds, i.inhdetachpending AS is_leaving
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'messages'::regclass
""")
_DETACHED = text("""
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relkind = 'r' AND c.relname ~ '^messages_(first|[0-9]+)$'
      AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'messages'::regclass)
      AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = c.oid)
""")
_NEWEST = text("SELECT last_value FROM messages_id_seq")
_ALONE = text("SELECT pg_try_advisory_lock(:lock)")
_NOT_ALONE = text("SELECT pg_advisory_unlock(:lock)")
_LOCK = {"lock": int.from_bytes(b"BAKUPART")}
_UPPER = re.compile(r"TO \('?(\d+)'?\)")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    end: int
    """The first row that stands behind it."""
    is_leaving: bool


async def tidy(connection: AsyncConnection, *, up_to: int = 0, size: int = SIZE) -> None:
    """Make tables for messages to come, at least up to a row, and drop those whose messages have all gone.

    The connection is in no transaction: every statement stands for itself. While another process does it, this one leaves it be.
    """
    if not (await connection.execute(_ALONE, _LOCK)).scalar_one():
        return
    try:
        newest = max(int((await connection.execute(_NEWEST)).scalar_one()), up_to)
        tables = [_Table(row.name, _end(row.bounds), row.is_leaving) for row in await connection.execute(_TABLES)]
        await _make(connection, tables, newest, size)
        # A whole table later nobody is still writing a message whose number was drawn back then.
        await _drop(connection, [table for table in tables if table.end + size <= newest])
    finally:
        if not connection.invalidated:  # as one that was cut off in a statement is; with it went the lock
            await connection.execute(_NOT_ALONE, _LOCK)


async def _make(connection: AsyncConnection, tables: Sequence[_Table], newest: int, size: int) -> None:
    """Make what is missing up to some tables behind the newest message."""
    start = max(table.end for table in tables)
    while start <= newest + AHEAD * size:
        name, end = f"messages_{start}", start + size
        for statement in (
            f"CREATE TABLE IF NOT EXISTS {name} (LIKE messages INCLUDING DEFAULTS INCLUDING INDEXES,"
            f" CONSTRAINT {name}_range CHECK (id >= {start} AND id < {end}),"
            f" CONSTRAINT uq_{name}_conversation_message_id UNIQUE (conversation, message_id))",
            f"ALTER TABLE messages ATTACH PARTITION {name} FOR VALUES FROM ({start}) TO ({end})",
        ):
            await connection.execute(text(statement))
        log.info("message_table_made", table=name)
        start = end


async def _drop(connection: AsyncConnection, passed: Sequence[_Table]) -> None:
    """Drop tables in which nothing can appear any more once nothing is left in them. Others are read and written meanwhile."""
    for table in passed:
        if table.is_leaving:
            await connection.execute(text(f"ALTER TABLE messages DETACH PARTITION {table.name} FINALIZE"))
        elif await _is_empty(connection, table.name):
            await connection.execute(text(f"ALTER TABLE messages DETACH PARTITION {table.name} CONCURRENTLY"))
    for (name,) in (await connection.execute(_DETACHED)).all():
        if await _is_empty(connection, name):
            await connection.execute(text(f"DROP TABLE {name}"))
            log.info("message_table_dropped", table=name)


async def _is_empty(connection: AsyncConnection, name: str) -> bool:
    return not (await connection.execute(text(f"SELECT EXISTS (SELECT 1 FROM {name})"))).scalar_one()  # noqa: S608 - a name out of the catalogue


def _end(bounds: str) -> int:
    """Return where a table ends, by what PostgreSQL says of it: `FOR VALUES FROM ('0') TO ('50000000')`."""
    found = _UPPER.search(bounds)
    if found is None:
        raise ValueError(f"The bounds {bounds!r} of a table of messages have no end; Baku never makes one like that.")
    return int(found[1])
