"""A whole bot through a night: it is told something, dreams when the bell rings, and says what it dreamt."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from bot.domain.job import JobState
from bot.llm.offline import OfflineModel
from bot.scheduler import NightBell
from bot.storage.store import SqlStore
from bot.testing.bot import Bot, a_world, running
from bot.testing.clock import FrozenClock
from bot.testing.factories import GROUP, a_scope
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel
from tests.scenario.night_killed import night_on, something_to_decide

DAY = 86400.0


@dataclass(slots=True)
class HandBell:
    """A bell that a test rings."""

    hung: asyncio.Event = field(default_factory=asyncio.Event)
    ring: Callable[[], Awaitable[None]] | None = None

    async def run(self, ring: Callable[[], Awaitable[None]]) -> None:
        self.ring = ring
        self.hung.set()
        await asyncio.Event().wait()

    async def rung(self) -> None:
        await self.hung.wait()
        assert self.ring is not None
        await self.ring()


async def test_what_was_told_by_day_fades_by_night_and_the_admin_can_take_it_back() -> None:
    platform, clock, bell = RecordingPlatform(), FrozenClock(), HandBell()
    world = replace(a_world(OfflineModel(), [platform], clock=clock), bell=bell.run)
    async with running(world) as app:
        await platform.connected.wait()
        bot = Bot(app, world.store, world.models[0], platform, clock, world.personas, world.background)
        await bot.command("memory add I like tea", conversation=GROUP)
        told = await bot.memories_of(a_scope(GROUP))

        clock.move(seconds=30 * DAY)
        await bell.rung()
        await bell.rung()
        report = await bot.command("dream report", conversation=GROUP, admin=True)
        faded = await bot.memories_of(a_scope(GROUP))
        undone = await bot.command("dream undo", conversation=GROUP, admin=True)

    assert report.text.startswith("**Iris's dream of 2026-06-02 10:00** is done.\n\n1 faded.")
    assert [memory.level.name for memory in (*told, *faded)] == ["WORKING", "DEEP"]
    assert undone.text == "The dream is taken back: 1 memory is as before it."


async def test_of_a_night_whose_process_is_killed_the_next_one_does_what_is_left(database_url: str) -> None:
    model, scope = ScriptedModel("A quiet night."), a_scope()
    store = SqlStore(database_url)
    await store.open()
    await something_to_decide(store)

    killed = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.scenario.night_killed", database_url)
    await killed.wait()
    for _ in range(2):
        await night_on(store, model).ring()

    async with store.read() as tx:
        (record,), memories = await tx.nights.history(limit=9), await tx.memories.page(scope, limit=9)
    await store.close()
    assert killed.returncode == -signal.SIGKILL
    assert (record.state, record.diary, [memory.text for memory in memories]) == (JobState.DONE, "A quiet night.", ["Ada likes tea"])
    assert len(model.prompts) == 1


async def test_a_bot_with_a_real_bell_catches_up_at_its_start_and_stops_at_once() -> None:
    clock, platform = FrozenClock(), RecordingPlatform()
    world = replace(a_world(OfflineModel(), [platform], clock=clock), bell=NightBell().run)
    async with running(world) as app:
        await platform.connected.wait()
        began = asyncio.get_running_loop().time()
        stopping = app

    assert asyncio.get_running_loop().time() - began < 2
    assert stopping.night.done == {}
