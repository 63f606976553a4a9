"""The settings by which a bot speaks to emulated platforms."""

from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.emulator import TelegramEmulator

UNLIMITED = {"BAKU_BURST_SECONDS": "0", **{f"BAKU_ANSWERS_PER_{name}": "0" for name in ("PERSON", "CONVERSATION", "SERVER")}}
"""Each message is answered at once and by itself, however many there are."""


def platforms_of(discord: DiscordEmulator, telegram: TelegramEmulator) -> dict[str, str]:
    """Return tokens and addresses of both platforms."""
    return {
        "DISCORD_TOKEN": discord.token,
        "DISCORD_API_BASE": discord.api_base,
        "DISCORD_GATEWAY_URL": discord.gateway_url,
        "TELEGRAM_TOKEN": telegram.token,
        "TELEGRAM_API_BASE": telegram.api_base,
    }
