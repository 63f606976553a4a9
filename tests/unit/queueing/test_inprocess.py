import asyncio

from bot.domain.chat import ConversationKey
from bot.queueing.inprocess import LONGEST_PAUSE, InProcessQueue
from bot.testing.clock import FrozenClock
from bot.testing.queue_contract import ONE, serving


async def test_pauses_between_failures_double_up_to_a_limit() -> None:
    clock = FrozenClock()
    queue = InProcessQueue(clock)
    failures = 8

    async def look(conversation: ConversationKey) -> None:
        if len(clock.slept) < failures:
            raise RuntimeError("not yet")

    async with serving(queue, look):
        await queue.ring(ONE)
        await queue.idle()

    assert clock.slept == [1, 2, 4, 8, 16, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]


async def test_no_more_conversations_run_at_once_than_allowed() -> None:
    queue = InProcessQueue(FrozenClock(), parallel=3)
    running, most = 0, 0

    async def look(conversation: ConversationKey) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    async with serving(queue, look):
        for number in range(20):
            await queue.ring(ConversationKey("console", str(number), str(number)))
        await queue.idle()

    assert most == 3
