"""One bot on Telegram for all tests of a file: to start one takes longer than most of what people do with it."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.scenario.walk.telegram_walk import Walk, walk


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def telegram() -> AsyncIterator[Walk]:
    """Yield the bot; every test opens a house of its own on it."""
    async with walk() as running:
        yield running
