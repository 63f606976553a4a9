"""Whole bots whose operator has set rules for all, and whose admins can set their own."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.app.app import App
from bot.app.world import World
from bot.domain.limits import NO_HOUSE_RULES, HouseRules
from bot.domain.persona import Persona
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.telegram.adapter import TelegramPlatform
from bot.ports.model import ChatModel
from bot.testing.bot import Bot, a_world, running
from bot.testing.clock import FrozenClock
from bot.testing.platform import RecordingPlatform
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.discord_stage import IMPATIENT
from tests.scenario.telegram_stage import IMPATIENT as IMPATIENT_TELEGRAM


def with_rules(world: World, house: HouseRules) -> World:
    """Return the world with an operator's rules."""
    return replace(world, house=house)


@asynccontextmanager
async def house_bot(
    model: ChatModel,
    house: HouseRules = NO_HOUSE_RULES,
    *,
    personas: Sequence[Persona] = (),
    platform: str = "discord",
    database: str = "",
) -> AsyncIterator[Bot]:
    """Run a bot with rules on a recording platform and a frozen clock."""
    recording, clock = RecordingPlatform(platform), FrozenClock()
    world = with_rules(a_world(model, [recording], clock=clock, personas=personas, database=database), house)
    async with running(world) as app:
        await recording.connected.wait()
        yield Bot(app, world.store, model, recording, clock, world.personas, world.background)


@asynccontextmanager
async def discord_house(
    emulator: DiscordEmulator, model: ChatModel, house: HouseRules = NO_HOUSE_RULES, *, database: str = ""
) -> AsyncIterator[App]:
    """Run a bot with rules that is connected to the emulator and has offered its commands."""
    platform = DiscordPlatform(emulator.token, api_base=emulator.api_base, gateway_url=emulator.gateway_url, tuning=IMPATIENT)
    async with running(with_rules(a_world(model, [platform], database=database), house)) as app:
        await emulator.connected()
        await emulator.commands_registered()
        yield app


@asynccontextmanager
async def telegram_house(telegram: TelegramEmulator, model: ChatModel, house: HouseRules = NO_HOUSE_RULES) -> AsyncIterator[App]:
    """Run a bot with rules that is connected to the emulator and asks for updates."""
    platform = TelegramPlatform(telegram.token, api_base=telegram.api_base, tuning=IMPATIENT_TELEGRAM)
    polls = telegram.count("getUpdates")
    async with running(with_rules(a_world(model, [platform]), house)) as app:
        await telegram.until(lambda: telegram.count("getUpdates") > polls)
        yield app
