"""A whole bot on the emulated Discord."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bot.app.app import App
from bot.domain.persona import Persona
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.discord.tuning import Tuning
from bot.ports.model import ChatModel
from bot.testing.bot import a_world, running
from tests.emulators.discord.server import DiscordEmulator

IMPATIENT = Tuning(outage_seconds=0.05, first_wait=0.01, longest_wait=0.05, identify_wait=0, servers_wait=0.5, close_seconds=0.5)


@asynccontextmanager
async def discord_bot(
    emulator: DiscordEmulator,
    model: ChatModel,
    *,
    database: str = "",
    personas: Sequence[Persona] = (),
    plugins: dict[str, object] | None = None,
    burst_seconds: float = 0.0,
    tuning: Tuning = IMPATIENT,
) -> AsyncIterator[App]:
    """Run a bot that is connected to the emulator and has offered its commands."""
    platform = DiscordPlatform(emulator.token, api_base=emulator.api_base, gateway_url=emulator.gateway_url, tuning=tuning)
    world = a_world(model, [platform], database=database, personas=personas, plugins=plugins, burst_seconds=burst_seconds)
    async with running(world) as app:
        await emulator.connected()
        await emulator.commands_registered()
        yield app
