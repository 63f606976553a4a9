import pytest

from bot.queueing.inprocess import InProcessQueue
from bot.testing.clock import FrozenClock
from bot.testing.queue_contract import QueueContract


class TestInProcessQueue(QueueContract):
    @pytest.fixture
    def queue(self) -> InProcessQueue:
        return InProcessQueue(FrozenClock())
