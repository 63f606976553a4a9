import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.domain.chat import ConversationKey
from bot.ports.queue import AskedQueue
from bot.queueing.inprocess import InProcessQueue
from bot.queueing.procrastinate.engine import Engine
from bot.queueing.procrastinate.pacing import Pacing
from bot.queueing.procrastinate.queue import TURNS, ProcrastinateQueue
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.queue_contract import ONE, TWO, QueueContract, serving


class AskedContract(QueueContract):
    """What an AskedQueue must do beside."""

    async def test_what_is_asked_for_or_under_way_can_be_seen(self, queue: AskedQueue) -> None:
        during: list[bool] = []

        async def look(conversation: ConversationKey) -> None:
            during.append(await queue.is_asked(conversation))

        before = await queue.is_asked(ONE)
        await queue.ring(ONE)
        waiting = [await queue.is_asked(each) for each in (ONE, TWO)]
        async with serving(queue, look):
            await queue.idle()

        assert (before, waiting, during) == (False, [True, False], [True])
        assert not await queue.is_asked(ONE)


class TestInProcessQueue(AskedContract):
    @pytest.fixture
    def queue(self) -> InProcessQueue:
        return InProcessQueue(FrozenClock())

    @pytest.fixture
    async def store(self) -> AsyncIterator[SqlStore]:
        store = SqlStore(DATABASES.fresh())
        await store.open()
        yield store
        await store.close()


class TestProcrastinateQueue(AskedContract):
    @pytest.fixture
    async def queue(self, postgres_url: str) -> AsyncIterator[ProcrastinateQueue]:
        engine = Engine(postgres_url, pacing=Pacing(poll=0.05, first_pause=0.01, grace=0.0))
        await engine.open()
        signals = asyncio.create_task(engine.run())
        yield ProcrastinateQueue(engine, TURNS)
        signals.cancel()
        await asyncio.gather(signals, return_exceptions=True)
        await engine.close()

    @pytest.fixture
    async def store(self, postgres_url: str) -> AsyncIterator[SqlStore]:
        store = SqlStore(postgres_url)
        await store.open()
        yield store
        await store.close()
