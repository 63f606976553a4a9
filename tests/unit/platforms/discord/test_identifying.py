"""The pace at which the connections of one bot identify, wherever they are held."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.discord.identifying import SPARE, Identifying
from bot.platforms.discord.shards import Shards
from bot.ports.throttle import Rate
from bot.queueing.procrastinate.engine import Engine
from bot.queueing.procrastinate.throttle import SharedThrottle
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import IMPATIENT
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.recording_throttle import RecordingThrottle


async def test_each_bucket_has_a_pace_of_its_own_and_discord_is_asked_once_how_many_there_are() -> None:
    throttle, asked = RecordingThrottle(), list[int]()

    async def ask_buckets() -> int:
        asked.append(2)
        return 2

    identifying = Identifying(throttle, seconds=5.0, ask_buckets=ask_buckets)
    for shard_id in (0, 1, 2, 4):
        await identifying.wait(shard_id)

    paces = [(other.rate.name, other.rate.per_second, other.count) for other in throttle.others if other.rate]
    assert paces == [("discord identifying 0", 1 / (5 * SPARE), 3), ("discord identifying 1", 1 / (5 * SPARE), 1)]
    assert asked == [2]


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with asyncio.timeout(20), AsyncExitStack() as stack:
        yield stack


async def test_gateways_that_start_at_once_identify_one_after_the_other(postgres_url: str, stack: AsyncExitStack) -> None:
    emulator, tuning = await stack.enter_async_context(DiscordEmulator()), replace(IMPATIENT, identify_wait=0.3)
    emulator.gateway.identify_seconds = 0.1
    for number in range(2):
        engine = Engine(postgres_url)
        await engine.open()
        stack.push_async_callback(engine.close)
        gateway = DiscordPlatform(
            emulator.token,
            api_base=emulator.api_base,
            gateway_url=emulator.gateway_url,
            tuning=tuning,
            shards=Shards((number,), 2),
            throttle=SharedThrottle(engine, Rate("discord", per_second=50, burst=25)),
        )
        running = asyncio.create_task(gateway.run(RecordingInbox()))
        stack.push_async_callback(_stop, running)

    await emulator.changes.until(lambda: emulator.gateway.identifies == 2, "both gateways")

    assert emulator.gateway.early_identifies == 0


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task], timeout=5)
