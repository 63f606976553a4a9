"""Reading what was said while the bot was away."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

import discord
import structlog

from bot.domain.chat import DISCORD, ConversationKind
from bot.domain.message import StoredMessage
from bot.platforms.discord.convert import channel_id_of
from bot.platforms.discord.reception import Reception
from bot.platforms.discord.trouble import PASSING
from bot.ports.platform import Inbox

LONGEST_ABSENCE = timedelta(days=1)
OVERLAP = timedelta(minutes=2)
"""Messages that arrive together are stored in any order, so look back a little further than the last one."""
DIRECT_SHARD = 0
"""It carries all direct chats."""
MAX_CONVERSATIONS = 1000
MAX_MESSAGES = 1000
"""In one channel."""

Readable = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread

log = structlog.get_logger(__name__)


async def catch_up(client: discord.Client, shard_id: int, inbox: Inbox, reception: Reception) -> None:
    """Hand over what a shard's channels got since the last stored messages, at most a day back. A first start catches up on nothing."""
    heard = await inbox.last_heard(DISCORD, limit=MAX_CONVERSATIONS)
    if not heard:
        return
    found = 0
    async for channel, since in _channels_to_read(client, shard_id, heard):
        found += await _read(channel, since, reception)
    log.info("discord_caught_up", shard=shard_id, messages=found)


async def _channels_to_read(
    client: discord.Client, shard_id: int, heard: Sequence[StoredMessage]
) -> AsyncIterator[tuple[discord.abc.Messageable, datetime]]:
    """Yield the channels with news, those first in which nothing was ever heard."""
    earliest = discord.utils.utcnow() - LONGEST_ABSENCE
    last_by_channel = {channel_id_of(message.conversation): message for message in heard}
    known: list[tuple[Readable, datetime]] = []
    for guild in (guild for guild in client.guilds if guild.shard_id == shard_id):
        for channel in _channels_of(guild):
            last = last_by_channel.get(channel.id)
            newest = channel.last_message_id or 0
            since = max(earliest, (last or heard[0]).sent_at - OVERLAP)
            if newest <= discord.utils.time_snowflake(since) or (last is not None and newest <= int(last.message_id)):
                continue
            if last is None:
                yield channel, since
            else:
                known.append((channel, since))
    for pair in known:
        yield pair
    for message in heard:
        if shard_id == DIRECT_SHARD and message.kind is ConversationKind.DIRECT and message.sent_at >= earliest:
            yield client.get_partial_messageable(channel_id_of(message.conversation)), message.sent_at - OVERLAP


def _channels_of(guild: discord.Guild) -> list[Readable]:
    return [*guild.text_channels, *guild.voice_channels, *guild.stage_channels, *guild.threads]


async def _read(channel: discord.abc.Messageable, since: datetime, reception: Reception) -> int:
    """Hand over a channel's messages, oldest first, and return how many."""
    count = 0
    try:
        async for message in channel.history(limit=MAX_MESSAGES, after=since, oldest_first=True):
            await reception.take(message, was_missed=True)
            count += 1
    except (discord.Forbidden, discord.NotFound):
        pass
    except PASSING as problem:
        log.warning("discord_history_not_read", problem=type(problem).__name__)
    if count == MAX_MESSAGES:
        log.warning("discord_history_cut", messages=count)
    return count
