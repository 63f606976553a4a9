import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage import postgres_connection
from bot.storage.postgres_connection import MOST_PREPARED, PostgresConnections, pooled_engine

END_ALL = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@pytest.fixture
async def engine(postgres_url: str) -> AsyncIterator[AsyncEngine]:
    engine = pooled_engine(make_url(postgres_url), PostgresConnections())
    yield engine
    await engine.dispose()


async def process_of(engine: AsyncEngine) -> int:
    """Return which process of the server answers."""
    async with engine.begin() as connection:
        return int((await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one())


async def test_a_connection_is_used_again(engine: AsyncEngine) -> None:
    first = await process_of(engine)

    assert await process_of(engine) == first


async def test_connections_that_the_server_has_ended_are_made_anew(engine: AsyncEngine, postgres_url: str) -> None:
    first = await process_of(engine)

    await asyncio.to_thread(end_all_others, postgres_url)

    assert await process_of(engine) != first


async def test_a_connection_that_lay_long_is_asked_for(engine: AsyncEngine, postgres_url: str) -> None:
    lay_long = {"left_at": -2 * postgres_connection.ASKED_AFTER}
    await process_of(engine)
    event.listen(engine.sync_engine, "checkin", lambda _, entry: entry.info.update(lay_long))
    first = await process_of(engine)

    assert await process_of(engine) == first


async def test_a_connection_keeps_time_in_utc_and_many_statements_prepared(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection

        assert isinstance(driver, psycopg.AsyncConnection)
        assert driver.prepared_max == MOST_PREPARED
        assert (await connection.execute(text("SHOW TIME ZONE"))).scalar_one() == "UTC"


async def test_a_connection_lost_in_a_transaction_is_an_error(engine: AsyncEngine, postgres_url: str) -> None:
    async with engine.connect() as connection:
        await connection.execute(text("SELECT 1"))
        await asyncio.to_thread(end_all_others, postgres_url)

        with pytest.raises(DBAPIError):
            await connection.execute(text("SELECT 1"))


def end_all_others(url: str) -> None:
    """Drop all connections to a database, as a restart of the server does."""
    with psycopg.connect(url) as connection:
        connection.execute(END_ALL)
