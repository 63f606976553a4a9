"""Rates that all processes share."""

import asyncio
import time

import psycopg

from bot.ports.throttle import Rate
from bot.queueing.procrastinate.throttle import SharedThrottle
from tests.unit.queueing.procrastinate.conftest import Cluster


async def test_two_processes_together_keep_to_one_rate(cluster: Cluster) -> None:
    rate = Rate("edits", per_second=100, burst=10)
    throttles = [SharedThrottle((await cluster.process()).engine, rate) for _ in range(2)]
    began = time.monotonic()

    async with asyncio.TaskGroup() as tasks:
        for throttle in throttles:
            for _ in range(15):
                tasks.create_task(throttle.wait())

    assert time.monotonic() - began >= 0.19  # thirty, of which ten are free


async def test_what_has_another_name_has_a_rate_of_its_own(cluster: Cluster) -> None:
    engine = (await cluster.process()).engine
    edits = SharedThrottle(engine, Rate("edits", per_second=0.001, burst=3))
    for _ in range(3):
        await edits.wait()

    async with asyncio.timeout(5):
        await SharedThrottle(engine, Rate("posts", per_second=0.001, burst=1)).wait()


async def test_nobody_is_held_back_by_a_database_that_does_not_answer(cluster: Cluster) -> None:
    throttle = SharedThrottle((await cluster.process()).engine, Rate("edits", per_second=0.001, burst=0))

    with psycopg.connect(cluster.url) as connection:
        connection.execute("LOCK TABLE baku_rates")
        async with asyncio.timeout(5):
            await throttle.wait()


async def test_nobody_is_held_back_when_the_clock_of_the_server_was_set_back(cluster: Cluster) -> None:
    throttle = SharedThrottle((await cluster.process()).engine, Rate("edits", per_second=100, burst=1))
    await throttle.wait()

    with psycopg.connect(cluster.url) as connection:
        connection.execute("UPDATE baku_rates SET free_at = free_at + 3600")
    async with asyncio.timeout(5):
        await throttle.wait()
