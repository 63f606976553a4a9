"""Connections to PostgreSQL that lie in a pool: set up once, and looked at before they are used again."""

import time
from functools import partial
from select import POLLIN, poll

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry

ASKED_AFTER = 30.0
"""Seconds in a pool after which the server itself is asked: whatever lies between may have dropped a connection without a word."""
MOST_PREPARED = 500
"""Statements that a connection keeps prepared. With fewer than we have it would drop and make them again and again."""
_SESSION = ("SET TIME ZONE 'UTC'", "SET statement_timeout = '30s'", "SET idle_in_transaction_session_timeout = '60s'")
_LEFT_AT = "left_at"


def watch_connections(engine: Engine) -> None:
    """Let an engine set up each new connection, and take none from its pool that the server has ended.

    To ask the server each time would cost a trip for every transaction. A server that ends a connection says so on it: a look at the
    socket is enough.
    """
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "checkin", _note_left)
    event.listen(engine, "checkout", partial(_expect_alive, engine))


def _set_up(connection: DBAPIConnection, _: object) -> None:
    _driver(connection).prepared_max = MOST_PREPARED
    cursor = connection.cursor()
    for statement in _SESSION:
        cursor.execute(statement)
    cursor.close()
    connection.commit()


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
    driver = _driver(connection)
    if driver.closed:
        return True
    looking = poll()
    looking.register(driver.fileno(), POLLIN)
    return bool(looking.poll(0))


def _driver(connection: DBAPIConnection) -> psycopg.AsyncConnection[object]:
    driver = connection.driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)
    return driver
