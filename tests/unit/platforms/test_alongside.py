import asyncio

import pytest

from bot.platforms.alongside import alongside


async def test_work_ends_with_the_context() -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with alongside(work()):
        await began.wait()

    assert ended.is_set()


async def test_what_is_raised_inside_comes_out_as_it_is() -> None:
    with pytest.raises(LookupError):
        async with alongside(asyncio.sleep(60)):
            raise LookupError
