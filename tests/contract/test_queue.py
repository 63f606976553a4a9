from collections.abc import AsyncIterator

import pytest

from bot.queueing.inprocess import InProcessQueue
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.queue_contract import QueueContract


class TestInProcessQueue(QueueContract):
    @pytest.fixture
    def queue(self) -> InProcessQueue:
        return InProcessQueue(FrozenClock())

    @pytest.fixture
    async def store(self) -> AsyncIterator[SqlStore]:
        store = SqlStore("sqlite://")
        await store.open()
        yield store
        await store.close()
