import asyncio

from bot.app.standing import Standing
from bot.domain.finding import Finding
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from bot.testing.platform import RecordingPlatform


class Online(RecordingPlatform):
    """A platform that knows that it is connected."""

    is_connected = True


async def forever() -> None:
    await asyncio.Event().wait()


async def test_each_part_is_told_and_a_platform_that_waits_is_ready() -> None:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    standing = Standing(store, {"discord": Online(), "telegram": RecordingPlatform("telegram")})
    queue = asyncio.create_task(standing.during("queue", forever()))
    await asyncio.sleep(0)

    found = await standing.findings()

    assert [(each.part, each.state) for each in found] == [
        ("store", "serves"),
        ("discord", "connected"),
        ("telegram", "waiting"),
        ("queue", "served"),
    ]
    assert all(each.is_ready for each in found)

    queue.cancel()
    await asyncio.wait([queue])
    standing.refuse("discord")
    await store.close()

    assert [each for each in await standing.findings() if not each.is_ready] == [
        Finding("store", is_ready=False, state="out of reach"),
        Finding("discord", is_ready=False, state="refused"),
        Finding("queue", is_ready=False, state="ended"),
    ]
