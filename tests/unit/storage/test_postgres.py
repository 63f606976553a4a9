import asyncio
from collections.abc import Collection, Coroutine, Generator
from functools import partial
from itertools import count
from types import coroutine
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import waiting
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from bot.domain.message import MessageState
from bot.errors import StoreError
from bot.storage.migrate import schema_state, upgrade
from bot.storage.postgres import PostgresDatabase
from bot.storage.schema import SchemaState
from bot.storage.store import SqlStore
from bot.testing.factories import DIRECT, incoming
from bot.testing.store_messages import TARGET

END_ALL = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
CONNECTED = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
NOBODY_THERE = "postgresql://ada:open-sesame@127.0.0.1:1/baku"


def end_all_connections(url: str) -> None:
    """Drop all connections to a database, as a restart of the server does."""
    with psycopg.connect(url) as connection:
        connection.execute(END_ALL)


async def test_a_lost_connection_is_made_again(postgres_url: str) -> None:
    store = SqlStore(postgres_url)
    await store.open()
    async with store.write() as tx:
        await tx.messages.record(incoming("hello"), MessageState.WAITING)

    await asyncio.to_thread(end_all_connections, postgres_url)

    async with store.read() as tx:
        assert [message.text for message in await tx.messages.waiting(DIRECT)] == ["hello"]
    await store.close()


async def test_a_connection_lost_in_a_transaction_is_an_error_of_the_store(postgres_url: str) -> None:
    store = SqlStore(postgres_url)
    await store.open()

    async def lose_connection() -> None:
        async with store.write() as tx:
            await tx.messages.record(incoming("hello"), MessageState.WAITING)
            await asyncio.to_thread(end_all_connections, postgres_url)
            await tx.messages.waiting(DIRECT)

    with pytest.raises(StoreError, match="cannot be reached"):
        await lose_connection()

    async with store.read() as tx:
        assert await tx.messages.waiting(DIRECT) == []
    await store.close()


async def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:1/baku cannot be reached") as raised:
        await SqlStore(NOBODY_THERE).open()
    for ask in (schema_state, upgrade):
        with pytest.raises(StoreError, match="cannot be reached"):
            ask(NOBODY_THERE)

    assert "open-sesame" not in str(raised.value)


def test_a_role_that_may_make_no_tables_is_told_the_next_step(empty_postgres_url: str) -> None:
    database = make_url(empty_postgres_url).database

    with pytest.raises(StoreError, match=f"pg_monitor make no tables.* ALTER DATABASE {database} OWNER TO pg_monitor"):
        upgrade(f"{empty_postgres_url}&options=-crole%3Dpg_monitor")

    assert schema_state(empty_postgres_url) is SchemaState.EMPTY


async def test_an_unknown_database_is_an_error_that_says_so(postgres_url: str) -> None:
    missing = f"missing_{uuid4().hex}"

    with pytest.raises(StoreError, match=f'"{missing}" does not exist'):
        await SqlStore(str(make_url(postgres_url).set(database=missing))).open()


async def test_errors_do_not_repeat_what_was_said(postgres_url: str) -> None:
    store = SqlStore(postgres_url)
    await store.open()

    with pytest.raises(StoreError) as raised:
        async with store.write() as tx:
            await tx.outbox.put(TARGET, "a secret", 4711)

    await store.close()
    assert "a secret" not in f"{raised.value} {raised.value.__cause__}"


@coroutine
def cut_off(work: Coroutine[Any, Any, None], waits: Collection[int]) -> Generator[Any, Any, None]:
    """Do some work, and cancel whoever does it at those of its waits, counted from one."""
    go_on = partial(work.send, None)
    for number in count(1):
        try:
            waited_for = go_on()
        except StopIteration:
            return
        if number in waits and (task := asyncio.current_task()):
            task.cancel()
        try:
            yield waited_for
            go_on = partial(work.send, None)
        except asyncio.CancelledError as problem:
            go_on = partial(work.throw, problem)


async def use(database: PostgresDatabase, *, writes: bool) -> None:
    """Take a connection, run two statements and give it back."""
    async with database.writing() if writes else database.reading() as connection:
        for _ in range(2):
            await connection.execute(text("SELECT 1"))


@pytest.mark.parametrize("writes", [False, True])
async def test_whoever_is_cancelled_at_any_moment_gives_the_connection_back(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, *, writes: bool
) -> None:
    monkeypatch.setattr(waiting, "MAX_BUSY_TIME", 0.0)  # as under load: psycopg waits wherever it may
    database = PostgresDatabase(make_url(postgres_url))
    await database.open()

    for waits in [{first, *second} for first in range(1, 12) for second in ((), (first + 1,))]:

        async def doing(waits: Collection[int] = waits) -> None:
            await cut_off(use(database, writes=writes), waits)

        await asyncio.wait([asyncio.create_task(doing())])
        if still_ending := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(still_ending, timeout=5)
        assert not database.in_use, waits
    async with database.writing() as connection:
        await connection.execute(text("CREATE TEMPORARY TABLE tea (name TEXT)"))
    await database.close()


@pytest.mark.parametrize("told_to_stop", [True, False])
async def test_a_server_is_left_although_somebody_still_reads_writes_or_waits_for_a_turn(postgres_url: str, *, told_to_stop: bool) -> None:
    before = connected(postgres_url)
    database = PostgresDatabase(make_url(postgres_url))
    await database.open()

    async def work(*, writes: bool) -> None:
        while True:
            await use(database, writes=writes)

    busy = [asyncio.create_task(work(writes=number % 2 == 0)) for number in range(20)]
    await asyncio.sleep(0.05)
    for task in busy:
        if told_to_stop:
            task.cancel()

    await database.close()

    ends = await asyncio.gather(*busy, return_exceptions=True)
    expected = (asyncio.CancelledError, DBAPIError) if told_to_stop else DBAPIError  # one may fail while it is being cancelled
    assert all(isinstance(end, expected) for end in ends), ends
    async with asyncio.timeout(5):
        while connected(postgres_url) > before:  # noqa: ASYNC110 - the server takes note when it comes to it
            await asyncio.sleep(0.01)


def connected(url: str) -> int:
    """Return how many others are connected to a database."""
    with psycopg.connect(url) as connection:
        return int(connection.execute(CONNECTED).fetchall()[0][0])
