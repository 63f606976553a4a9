import asyncio

from bot.domain.chat import ConversationKey
from bot.errors import StoreError
from bot.ports.trail import on_turn, turn_here
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


async def test_rings_beyond_the_bound_are_dropped_and_asked_for_again_when_there_is_room() -> None:
    queue, seen, go_on = InProcessQueue(FrozenClock(), most=4), list[str](), asyncio.Event()

    async def look(conversation: ConversationKey) -> None:
        await go_on.wait()
        seen.append(conversation.channel_id)

    async with serving(queue, look), asyncio.timeout(5):
        for number in range(10):
            await queue.ring(ConversationKey("console", str(number), str(number)))
        go_on.set()
        await queue.room_again()
        await queue.ring(ONE)
        await queue.idle()

    assert seen == ["0", "1", "2", "3", "one"]


async def test_a_platform_of_which_many_wait_has_no_rings_of_another_dropped() -> None:
    queue, seen, go_on = InProcessQueue(FrozenClock(), most=2), list[str](), asyncio.Event()

    async def look(conversation: ConversationKey) -> None:
        if conversation.platform == "discord":
            await go_on.wait()
        seen.append(conversation.platform)
        go_on.set()

    async with serving(queue, look), asyncio.timeout(5):
        for number, platform in enumerate(("discord", "discord", "discord", "telegram")):
            await queue.ring(ConversationKey(platform, "1", str(number)))
        await queue.idle()

    assert seen == ["telegram", "discord", "discord"]


async def test_a_look_belongs_to_the_turn_that_asked_for_it_last() -> None:
    queue, seen = InProcessQueue(FrozenClock()), list[int]()

    async def look(_conversation: ConversationKey) -> None:
        seen.append(turn_here())

    async with serving(queue, look):
        with on_turn(7):
            await queue.ring(ONE)
        await queue.idle()
        await queue.ring(ONE)
        await queue.idle()

    assert seen == [7, 0]


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


async def test_a_platform_that_is_out_of_reach_keeps_no_other_waiting() -> None:
    queue, back, heard = InProcessQueue(FrozenClock(), parallel=2), asyncio.Event(), asyncio.Event()

    async def look(conversation: ConversationKey) -> None:
        if conversation.platform == "telegram":
            heard.set()
        await back.wait()

    async with serving(queue, look):
        for number in range(9):
            await queue.ring(ConversationKey("discord", str(number), str(number)))
        await queue.ring(ConversationKey("telegram", "1", "1"))
        async with asyncio.timeout(5):
            await heard.wait()
        back.set()
        await queue.idle()


async def test_a_look_that_fails_as_it_is_stopped_is_not_looked_at_again() -> None:
    queue, begun, looks = InProcessQueue(FrozenClock()), asyncio.Event(), list[str]()

    async def look(conversation: ConversationKey) -> None:
        looks.append(conversation.channel_id)
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise StoreError("the disk is full")

    async with asyncio.timeout(5), serving(queue, look):
        await queue.ring(ONE)
        await begun.wait()

    assert looks == ["one"]
