"""The bell rings at once, then at every pause, one call at a time, and stops at once."""

import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest

from bot.errors import StoreError
from bot.scheduler import NightBell


async def test_it_rings_at_the_start_whatever_the_pause() -> None:
    rung = asyncio.Event()

    async def ring() -> None:
        rung.set()

    task = asyncio.create_task(NightBell(timedelta(days=1)).run(ring))

    async with asyncio.timeout(5):
        await rung.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_it_rings_again_and_never_while_a_call_is_under_way() -> None:
    calls: list[str] = []
    enough = asyncio.Event()

    async def ring() -> None:
        calls.append("begin")
        await asyncio.sleep(0.03)
        calls.append("end")
        if len(calls) >= 6:
            enough.set()

    task = asyncio.create_task(NightBell(timedelta(seconds=0.01)).run(ring))

    async with asyncio.timeout(5):
        await enough.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert calls[:6] == ["begin", "end"] * 3


async def test_a_stop_reaches_a_call_that_is_under_way_and_leaves_nothing_behind() -> None:
    began, stopped = asyncio.Event(), asyncio.Event()

    async def ring() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    before = asyncio.all_tasks()
    task = asyncio.create_task(NightBell().run(ring))
    await began.wait()
    task.cancel()

    async with asyncio.timeout(1):
        await asyncio.gather(task, return_exceptions=True)
    assert stopped.is_set()
    assert asyncio.all_tasks() == before


async def test_a_call_that_fails_ends_the_bell_with_its_error() -> None:
    async def ring() -> None:
        raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await NightBell().run(ring)


async def test_a_call_that_fails_as_it_is_stopped_keeps_no_bell_from_ending() -> None:
    began = asyncio.Event()

    async def ring() -> None:
        began.set()
        with suppress(StoreError):
            try:
                await asyncio.Event().wait()
            finally:
                raise StoreError("the disk is full")

    task = asyncio.create_task(NightBell().run(ring))
    await began.wait()
    task.cancel()

    async with asyncio.timeout(5):
        await asyncio.wait([task])
    assert task.cancelled()
