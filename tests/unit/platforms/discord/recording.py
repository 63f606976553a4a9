"""A running adapter in front of the emulator."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import ReplyTarget
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.discord.tuning import Tuning
from tests.emulators.discord.objects import Channel, Message
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox

IMPATIENT = Tuning(
    request_seconds=5,
    acknowledge_seconds=0.05,
    outage_seconds=0.05,
    first_wait=0.01,
    longest_wait=0.05,
    identify_wait=0,
    servers_wait=0.5,
    close_seconds=0.5,
)


def platform_for(
    emulator: DiscordEmulator,
    *,
    token: str | None = None,
    tuning: Tuning = IMPATIENT,
    tell_operator: Callable[[str], None] = lambda _: None,
) -> DiscordPlatform:
    """Return an adapter that talks to the emulator."""
    return DiscordPlatform(
        token or emulator.token,
        api_base=emulator.api_base,
        gateway_url=emulator.gateway_url,
        tuning=tuning,
        tell_operator=tell_operator,
    )


@asynccontextmanager
async def running(
    emulator: DiscordEmulator, inbox: RecordingInbox, platform: DiscordPlatform | None = None
) -> AsyncIterator[DiscordPlatform]:
    """Yield an adapter that is connected and has offered its commands."""
    platform = platform or platform_for(emulator)
    task = asyncio.create_task(platform.run(inbox))
    try:
        await emulator.connected()
        if inbox.commands:
            await emulator.commands_registered()
        yield platform
    finally:
        task.cancel()
        await asyncio.wait([task], timeout=5)


def target_in(channel: Channel, reply_to: Message | None = None) -> ReplyTarget:
    """Return where an answer in a channel goes."""
    guild_id = str(channel.guild.id if channel.guild else channel.id)
    kind = ConversationKind.GROUP if channel.guild else ConversationKind.DIRECT
    return ReplyTarget(ConversationKey("discord", guild_id, str(channel.id)), kind, str(reply_to.id) if reply_to else "")
