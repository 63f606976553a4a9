import asyncio

from bot.domain.message import MessageState
from bot.storage.store import SqlStore
from bot.telemetry.loop import watch_loop
from bot.telemetry.page import MetricsPage
from bot.telemetry.prometheus import PrometheusMetrics
from bot.testing.clock import FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.factories import incoming
from tests.unit.conversation.onlooker import an_onlooker


async def test_the_store_is_asked_once_however_often_the_page_is_read() -> None:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    page = MetricsPage(PrometheusMetrics(FrozenClock()), store)
    async with store.write() as tx:
        await tx.messages.record(incoming("hi"), MessageState.WAITING)

    first = await page()
    await store.close()
    second = await page()

    assert b"baku_queue_depth 1.0" in first
    assert b"baku_queue_depth 1.0" in second


async def test_a_store_out_of_reach_leaves_the_rest_of_the_page() -> None:
    page = MetricsPage(PrometheusMetrics(FrozenClock()), SqlStore(DATABASES.fresh()))

    assert b"baku_database_connections_in_use 0.0" in await page()


async def test_the_loop_is_looked_at_again_and_again() -> None:
    watch, tally, _ = an_onlooker()

    async with asyncio.TaskGroup() as tasks:
        watching = tasks.create_task(watch_loop(watch.metrics, every=0.0))
        for _ in range(10):
            await asyncio.sleep(0)
        watching.cancel()

    assert tally.seen.count(("loop_lagged",)) >= 2
