import asyncio
from contextlib import suppress

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


async def test_work_that_loses_its_end_holds_up_nobody_for_good() -> None:
    began = asyncio.Event()

    async def types_on() -> None:  # as a request does whose time is over in the same moment
        with suppress(asyncio.CancelledError):
            began.set()
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    async with asyncio.timeout(10), alongside(types_on()):
        await began.wait()
