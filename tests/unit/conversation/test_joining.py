import asyncio

from bot.conversation.joining import joining
from bot.conversation.running import Writing
from bot.errors import StoreError


async def written(answers: list[bool | Exception]) -> bool:
    """Return whether a writing ended by itself that hears as many rings as there are answers to "is there more?"."""
    ring, writing, asked = asyncio.Event(), Writing(), asyncio.Event()

    async def has_more() -> bool:
        asked.set()
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def write() -> bool:
        while answers:
            asked.clear()
            ring.set()
            await asked.wait()
            await asyncio.sleep(0)
        return True

    async with joining(ring, has_more, writing):
        return bool(await writing.unless_stopped(write()))


async def test_an_answer_is_left_off_when_there_is_more() -> None:
    assert not await written([False, StoreError("away"), True, False])


async def test_rings_for_other_things_change_nothing() -> None:
    assert await written([False, False])
