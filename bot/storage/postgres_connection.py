"""Connections to PostgreSQL that lie in a pool: set up once, looked at before they are used again, ended with the store."""

import asyncio
import time
from contextlib import AsyncExitStack
from functools import partial
from select import POLLIN, poll
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

CONNECT = {"connect_timeout": 10}
ASKED_AFTER = 30.0
"""Seconds in a pool after which the server itself is asked: whatever lies between may have dropped a connection without a word."""
MOST_PREPARED = 500
"""Statements that a connection keeps prepared. With fewer than we have it would drop and make them again and again."""
BEGINS_WITH = "begins_with"
"""The execution option with the statement that begins a transaction; empty where every statement is to stand for itself.

Left to SQLAlchemy, each read would set a connection up and back again, and one that is cancelled meanwhile is lost to the pool.
"""
_SESSION = ("SET TIME ZONE 'UTC'", "SET statement_timeout = '30s'", "SET idle_in_transaction_session_timeout = '60s'")
_LEFT_AT = "left_at"
_LAST_STATEMENT_SECONDS = 5.0


class PostgresConnections:
    """Makes the connections to a server, and ends all of them: SQLAlchemy's pool forgets those that are in use when it is disposed of."""

    def __init__(self) -> None:
        self._made: set[psycopg.AsyncConnection[Any]] = set()
        self._closed = False

    def open(self) -> None:
        """Let connections be made, again after they were closed."""
        self._closed = False

    async def connect(self, *address: Any, **settings: Any) -> psycopg.AsyncConnection[Any]:
        """Return a connection that is set up; what it takes is that of `psycopg.AsyncConnection.connect`.

        Raises psycopg.OperationalError once they are closed: who comes late must not connect again.
        """
        connection = await psycopg.AsyncConnection[Any].connect(*address, autocommit=True, **settings)
        async with AsyncExitStack() as undo:
            undo.push_async_callback(connection.close)
            connection.prepared_max = MOST_PREPARED
            for statement in _SESSION:
                await connection.execute(statement)
            if self._closed:
                raise psycopg.OperationalError("the store was closed")
            undo.pop_all()
        self._made = {known for known in self._made if not known.closed} | {connection}
        return connection

    async def close(self) -> None:
        """End every connection when the statement it runs is done, or soon; a transaction that was not committed is taken back."""
        self._closed = True
        async with asyncio.TaskGroup() as ending:
            for connection in self._made:
                ending.create_task(_end(connection))
        self._made.clear()


def pooled_engine(url: URL, connections: PostgresConnections) -> AsyncEngine:
    """Return an engine on a server that takes no connection from its pool that the server has ended.

    To ask the server each time would cost a trip for every transaction. A server that ends a connection says so on it: a look at the
    socket is enough.
    """
    engine = create_async_engine(
        url.set(drivername="postgresql+psycopg"),
        hide_parameters=True,  # a logged error must not hold what people said
        connect_args=CONNECT | {"async_creator_fn": connections.connect},
    )
    event.listen(engine.sync_engine, "begin", _begin)
    event.listen(engine.sync_engine, "checkin", _note_left)
    event.listen(engine.sync_engine, "checkout", partial(_expect_alive, engine.sync_engine))
    return engine


async def _end(connection: psycopg.AsyncConnection[Any]) -> None:
    try:
        async with asyncio.timeout(_LAST_STATEMENT_SECONDS), connection.lock:
            await connection.close()
    except TimeoutError:
        await connection.close()


def _begin(connection: Connection) -> None:
    if statement := connection.get_execution_options().get(BEGINS_WITH, "BEGIN"):
        connection.exec_driver_sql(statement)


def _note_left(_: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
    entry.info[_LEFT_AT] = time.monotonic()


def _expect_alive(engine: Engine, connection: DBAPIConnection, entry: ConnectionPoolEntry, _: object) -> None:
    """Look whether a connection may be used. Raises InvalidatePoolError, upon which the pool makes new ones."""
    left_at = entry.info.pop(_LEFT_AT, None)
    if left_at is None or not (_has_news(connection) or time.monotonic() - left_at > ASKED_AFTER):
        return
    try:
        engine.dialect.do_ping(connection)
    except psycopg.Error as problem:
        raise InvalidatePoolError from problem


def _has_news(connection: DBAPIConnection) -> bool:
    """Say whether something came on a connection that nobody has asked anything: its end, most likely."""
    driver = connection.driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)
    if driver.closed:
        return True
    looking = poll()
    looking.register(driver.fileno(), POLLIN)
    return bool(looking.poll(0))
