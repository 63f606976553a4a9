"""The tables that a server's messages stand in."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.domain.message import MessageState
from bot.storage import message_parts
from bot.storage.migrate import upgrade
from bot.storage.store import SqlStore
from bot.testing.factories import DIRECT, incoming

SIZE = message_parts.SIZE


@pytest.fixture
async def server(empty_postgres_url: str) -> AsyncIterator[AsyncConnection]:
    """Give a connection, in no transaction, to a server with our tables."""
    upgrade(empty_postgres_url)
    engine = create_async_engine(empty_postgres_url.replace("postgresql://", "postgresql+psycopg://"), poolclass=NullPool)
    async with engine.connect() as connection:
        yield await connection.execution_options(isolation_level="AUTOCOMMIT")


async def tables(server: AsyncConnection) -> list[str]:
    """Return the tables that messages stand in, the first one before those made later."""
    found = await server.execute(text("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'messages'::regclass"))
    return sorted((name for (name,) in found), key=lambda name: (len(name), name))


def numbered(*numbers: int) -> list[str]:
    """Return the names of tables by how many full ones come before them."""
    return [f"messages_{SIZE * number}" for number in numbers]


async def go_on_at(server: AsyncConnection, row: int) -> None:
    """Let the next message get a row."""
    await server.execute(text("SELECT setval('messages_id_seq', :row, false)"), {"row": row})


async def say(url: str, *message_ids: str) -> list[int | None]:
    """Record messages and return their rows; none where one was known."""
    store = SqlStore(url)
    await store.open()
    async with store.write() as tx:
        stored = [await tx.messages.record(incoming(name, message_id=name), MessageState.HEARD) for name in message_ids]
    await store.close()
    return [None if message is None else message.id for message in stored]


async def test_there_is_room_for_many_messages_to_come(server: AsyncConnection) -> None:
    await message_parts.tidy(server)
    before = await tables(server)

    await go_on_at(server, 3 * SIZE + 1)
    await message_parts.tidy(server)
    await message_parts.tidy(server)

    assert before == ["messages_first", *numbered(1, 2, 3, 4)]
    assert await tables(server) == numbered(2, 3, 4, 5, 6, 7)  # the first two were passed by a whole table, and empty


async def test_a_message_is_known_and_found_in_whatever_table_it_stands(server: AsyncConnection, empty_postgres_url: str) -> None:
    await message_parts.tidy(server)
    assert await say(empty_postgres_url, "one") == [1]
    await go_on_at(server, 2 * SIZE)

    assert await say(empty_postgres_url, "one", "two", "two") == [None, 2 * SIZE, None]

    store = SqlStore(empty_postgres_url)
    await store.open()
    async with store.read() as tx:
        assert [message.text for message in await tx.messages.history(DIRECT, limit=5)] == ["one", "two"]
    await store.close()


async def test_a_table_goes_when_its_last_message_does_and_not_before(server: AsyncConnection, empty_postgres_url: str) -> None:
    await message_parts.tidy(server)
    await say(empty_postgres_url, "one")
    await go_on_at(server, 2 * SIZE)
    await say(empty_postgres_url, "two")

    await message_parts.tidy(server)
    assert (await tables(server))[0] == "messages_first"

    await server.execute(text("DELETE FROM messages WHERE id = 1"))
    await message_parts.tidy(server)
    assert await tables(server) == numbered(1, 2, 3, 4, 5, 6)


async def test_who_moves_a_database_gets_room_for_all_of_it(empty_postgres_url: str, server: AsyncConnection) -> None:
    store = SqlStore(empty_postgres_url)
    await store.open()

    await store.tidy(up_to=9 * SIZE)

    await store.close()
    assert f"messages_{SIZE * 13}" in await tables(server)


async def test_tidying_that_is_cancelled_ends_as_cancelled_whatever_it_waits_for(empty_postgres_url: str) -> None:
    upgrade(empty_postgres_url)
    store = SqlStore(empty_postgres_url)
    await store.open()
    await store.tidy()
    ends = []
    for milliseconds in range(12):
        tidying = asyncio.create_task(store.tidy())
        await asyncio.sleep(milliseconds / 2000)
        tidying.cancel()
        (end,) = await asyncio.gather(tidying, return_exceptions=True)
        ends.append(end)
    await store.tidy()  # nobody has kept the lock
    await store.close()

    assert {type(end) for end in ends} <= {asyncio.CancelledError, type(None)}
    assert any(ends)
