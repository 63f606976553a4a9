"""Plugins that break where the bot relies on them, beside a platform that must not notice."""

import asyncio
from collections.abc import Sequence

from structlog.testing import capture_logs

from bot.app.world import World
from bot.plugin import hookimpl
from bot.ports.model import ChatModel
from bot.ports.platform import Inbox, Platform
from bot.testing.bot import a_world, running
from bot.testing.clock import FrozenClock
from bot.testing.factories import incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel

TRIES = 4


class BreakingPlatform(RecordingPlatform):
    """Breaks some times before it holds."""

    def __init__(self) -> None:
        super().__init__("pigeons")
        self.tries = 0

    async def run(self, inbox: Inbox) -> None:
        self.tries += 1
        if self.tries < TRIES:
            raise RuntimeError("the pigeon got lost")
        await super().run(inbox)


class StubbornModel(ScriptedModel):
    """A model that does not let itself be closed."""

    async def close(self) -> None:
        raise RuntimeError("still thinking")


class Plugin:
    def __init__(self, platforms: Sequence[Platform] = (), models: Sequence[ChatModel] = ()) -> None:
        self._platforms = platforms
        self._models = models

    @hookimpl
    def register_platforms(self) -> Sequence[Platform]:
        return self._platforms

    @hookimpl
    def register_models(self) -> Sequence[ChatModel]:
        return self._models


def world_with(plugin: Plugin, platform: RecordingPlatform, model: ScriptedModel) -> World:
    return a_world(model, [platform], plugins={"odd": plugin}, clock=FrozenClock())


async def test_platform_that_breaks_is_tried_again_and_stops_no_other() -> None:
    broken, sound = BreakingPlatform(), RecordingPlatform()

    with capture_logs() as logs:
        async with running(world_with(Plugin([broken]), sound, ScriptedModel("Hello."))) as app, asyncio.timeout(10):
            await broken.connected.wait()
            await app.inbox.receive(incoming("hi"))
            await app.queue.idle()

    assert broken.tries == TRIES
    assert [sent.text for sent in sound.sent] == ["Hello."]
    assert [entry["plugin"] for entry in logs if entry["event"] == "plugin_failed"] == ["pigeons"] * (TRIES - 1)


async def test_model_that_cannot_be_closed_keeps_nothing_open() -> None:
    model = ScriptedModel("Hello.")
    world = world_with(Plugin(models=[StubbornModel(name="stubborn")]), RecordingPlatform(), model)

    with capture_logs() as logs:
        async with running(world):
            pass

    assert model.closed
    assert [entry["plugin"] for entry in logs if entry["event"] == "plugin_failed"] == ["stubborn"]
