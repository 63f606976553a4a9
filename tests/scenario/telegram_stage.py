"""A whole bot on the emulated Telegram."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from bot.app.app import App
from bot.domain.persona import Persona
from bot.platforms.telegram.adapter import TelegramPlatform
from bot.platforms.telegram.tuning import Tuning
from bot.ports.model import ChatModel
from bot.testing.bot import a_world, running
from tests.emulators.telegram.emulator import TelegramEmulator

IMPATIENT = Tuning(first_wait=0.01, longest_wait=0.05, typing=0.05, draft=0.0, album=0.05)


@asynccontextmanager
async def telegram_bot(
    telegram: TelegramEmulator,
    model: ChatModel,
    *,
    database: str = "",
    personas: Sequence[Persona] = (),
    plugins: Mapping[str, object] | None = None,
    burst_seconds: float = 0.0,
    tuning: Tuning = IMPATIENT,
) -> AsyncIterator[App]:
    """Run a bot that is connected to the emulator and asks for updates."""
    platform = TelegramPlatform(telegram.token, api_base=telegram.api_base, tuning=tuning)
    world = a_world(model, [platform], database=database, personas=personas, plugins=plugins, burst_seconds=burst_seconds)
    polls = telegram.count("getUpdates")
    async with running(world) as app:
        await telegram.until(lambda: telegram.count("getUpdates") > polls)
        yield app
