"""A running adapter in front of the emulator."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.platforms.telegram.adapter import TelegramPlatform
from bot.platforms.telegram.tuning import Tuning
from bot.platforms.telegram.webhook import Webhook
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox

IMPATIENT = Tuning(first_wait=0.01, longest_wait=0.05, typing=0.02, draft=0.0, album=0.05)


def platform_for(
    telegram: TelegramEmulator, *, token: str | None = None, webhook: Webhook | None = None, tuning: Tuning = IMPATIENT
) -> TelegramPlatform:
    """Return an adapter that talks to the emulator."""
    return TelegramPlatform(token or telegram.token, api_base=telegram.api_base, webhook=webhook, tuning=tuning)


@asynccontextmanager
async def running(
    telegram: TelegramEmulator, inbox: RecordingInbox, platform: TelegramPlatform | None = None
) -> AsyncIterator[TelegramPlatform]:
    """Yield an adapter that is connected and asks for updates."""
    platform = platform or platform_for(telegram)
    task = asyncio.create_task(platform.run(inbox))
    try:
        await telegram.until(lambda: telegram.count("getUpdates") + telegram.count("setWebhook") > 0)
        yield platform
    finally:
        task.cancel()
        await asyncio.wait([task], timeout=5)
