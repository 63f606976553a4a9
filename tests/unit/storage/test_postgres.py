import asyncio
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy.engine import make_url

from bot.domain.message import MessageState
from bot.errors import StoreError
from bot.storage.migrate import schema_state, upgrade
from bot.storage.store import SqlStore
from bot.testing.factories import DIRECT, incoming
from bot.testing.store_messages import TARGET

END_ALL = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
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
