import asyncio
from contextlib import suppress

from bot.ports.ending import end


async def test_a_task_that_loses_a_cancellation_is_ended_all_the_same() -> None:
    begun = asyncio.Event()

    async def loses_one() -> None:
        with suppress(asyncio.CancelledError):
            begun.set()
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    task = asyncio.create_task(loses_one())
    await begun.wait()
    await end(task, patience=0.01)

    assert task.cancelled()


async def test_what_a_task_raises_at_its_end_is_its_own() -> None:
    begun = asyncio.Event()

    async def breaks() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            raise LookupError

    task = asyncio.create_task(breaks())
    await begun.wait()
    await end(task)

    assert isinstance(task.exception(), LookupError)
