"""PostgreSQL: many programs, many writers."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

from sqlalchemy import Connection, NullPool, QueuePool, create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import SchemaMismatch, StoreError
from bot.storage import message_parts
from bot.storage.postgres_connection import BEGINS_WITH, CONNECT, PostgresConnections, pooled_engine
from bot.storage.schema import HEAD, SUPPORT_TABLE, VERSION_TABLE, SchemaState, Upgrade, newer, run_migrations, state_of
from bot.storage.transfer.ledger import is_half_moved

_UPGRADE_LOCK = int.from_bytes(b"BAKU")
"""Ends with the connection."""
_LOOK_AGAIN_SECONDS = 0.1
_RIGHTS = """
    SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), quote_ident(current_user), quote_ident(current_database())
"""


class PostgresDatabase:
    """Fulfils `bot.storage.database.Database` with a server."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._connections = PostgresConnections()
        self._writers = pooled_engine(url, self._connections)
        self._readers = self._writers.execution_options(**{BEGINS_WITH: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"})
        self._keepers = self._writers.execution_options(**{BEGINS_WITH: ""})

    async def open(self) -> None:
        """Connect and check the schema."""
        self._connections.open()
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self.close)
            match await self._state():
                case SchemaState.CURRENT | SchemaState.AHEAD:
                    undo.pop_all()
                case SchemaState.HALF_MOVED:
                    raise _half_moved(self._url)
                case SchemaState.NEWER:
                    raise newer(name_of(self._url))
                case _:
                    raise SchemaMismatch(
                        f'{name_of(self._url)} has not the tables that this Baku needs. Run "baku migrate", then start again.'
                    )

    async def close(self) -> None:
        """Disconnect, whoever still reads or writes."""
        await self._connections.close()
        await self._writers.dispose()

    @property
    def in_use(self) -> int:
        """Return how many connections of the pool are in use."""
        pool = self._writers.pool
        return pool.checkedout() if isinstance(pool, QueuePool) else 0

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Begin a transaction on one state of the data."""
        async with self._readers.begin() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Begin a transaction."""
        async with self._writers.begin() as connection:
            yield connection

    async def wipe(self) -> int | None:
        """Leave it to the server, whose vacuum gives the room of deleted rows to others."""
        return 0

    async def tidy(self, *, up_to: int = 0) -> None:
        """Make and drop tables of messages."""
        async with self._keepers.connect() as connection:
            await message_parts.tidy(connection, up_to=up_to)

    def explained(self, problem: DBAPIError) -> StoreError:
        """Return what PostgreSQL's error means."""
        return explained(self._url, problem)

    async def _state(self) -> SchemaState:
        try:
            async with self._readers.connect() as connection:
                return await connection.run_sync(_state)
        except DBAPIError as problem:
            raise self.explained(problem) from problem


def server_state(url: URL) -> SchemaState:
    """Return the state of a server's schema."""
    with _connected(url) as connection:
        return _state(connection)


def check_server_rights(url: URL) -> None:
    """Raise StoreError, with what to do, where this program may not make tables on the server."""
    with _connected(url) as connection:
        _refuse_without_rights(connection, url)


def upgrade_server(url: URL) -> Upgrade | None:
    """Bring a server's schema up to date, one migration after the other, each all or nothing; None when it was.

    One that was cut short goes on where it stopped. Only one runs at a time.
    """
    with _connected(url) as guard:
        # To wait within a statement would keep an index from being built beside it: its builder waits for all older statements.
        while not guard.execute(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _UPGRADE_LOCK}).scalar_one():
            time.sleep(_LOOK_AGAIN_SECONDS)
        state = _state(guard)
        if state in {SchemaState.CURRENT, SchemaState.AHEAD}:
            return None
        if state is SchemaState.NEWER:
            raise newer(name_of(url))
        if state is SchemaState.HALF_MOVED:
            raise _half_moved(url)
        _refuse_without_rights(guard, url)
        before = _revision(guard)
        with guard.engine.connect() as connection:  # in no transaction yet: each migration begins its own
            run_migrations(connection)
    return Upgrade(before=before, after=HEAD)


@contextmanager
def _connected(url: URL) -> Iterator[Connection]:
    """Give a connection on which every statement stands for itself: an open transaction would keep indexes from being built beside it."""
    engine = create_engine(url.set(drivername="postgresql+psycopg"), poolclass=NullPool, hide_parameters=True, connect_args=CONNECT)
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            yield connection
    except DBAPIError as problem:
        raise explained(url, problem) from problem


def _state(connection: Connection) -> SchemaState:
    """Return the schema's state. Tables of others may live beside ours: they do not count."""
    return SchemaState.HALF_MOVED if is_half_moved(connection) else state_of((), _revision(connection), _oldest(connection))


def _refuse_without_rights(connection: Connection, url: URL) -> None:
    may_make, role, database = connection.execute(text(_RIGHTS)).one()
    if not may_make:
        problem = f"lets {role} make no tables. Make {role} the database's owner: ALTER DATABASE {database} OWNER TO {role}."
        raise StoreError(f"{name_of(url)} {problem}")


def _revision(connection: Connection) -> str | None:
    if connection.execute(text("SELECT to_regclass(:table)"), {"table": VERSION_TABLE}).scalar_one() is None:
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return None if found is None else str(found)


def _oldest(connection: Connection) -> str | None:
    if connection.execute(text("SELECT to_regclass(:table)"), {"table": SUPPORT_TABLE}).scalar_one() is None:
        return None
    found = connection.execute(text("SELECT oldest FROM schema_support")).scalar_one_or_none()
    return None if found is None else str(found)


def _half_moved(url: URL) -> SchemaMismatch:
    return SchemaMismatch(
        f'{name_of(url)} is being moved into, and not all is there yet. Give the same "baku migrate --from ... --to ..." again: it goes on '
        "where it stopped, and says when all is there."
    )


def explained(url: URL, problem: DBAPIError) -> StoreError:
    """Return what an error of PostgreSQL means for whoever runs the program."""
    # The rest of a server's message may hold what was being written.
    detail = str(problem.orig).strip().splitlines()[0]
    if problem.connection_invalidated or getattr(problem.orig, "sqlstate", None) is None:
        return StoreError(f"{name_of(url)} cannot be reached: {detail}. Check that it runs and that the address is right.")
    return StoreError(f"{name_of(url)} does not serve: {detail}.")


def name_of(url: URL) -> str:
    """Return what a server's database is called in a message: without its password."""
    return f"The PostgreSQL database {url.set(query={}).render_as_string()}"
