"""Reading what was said while the bot was away.

What is at most a day old is stored, as if it had been heard. Of that, what was said to the bot is answered when it is recent, once
and as one burst; what is older is only noted. A channel gives its newest messages up to a limit, and so do all channels together;
what is left out is counted in the log.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

import discord
import structlog

from bot.domain.chat import DISCORD, ConversationKind
from bot.domain.message import StoredMessage
from bot.platforms.discord.convert import channel_id_of
from bot.platforms.discord.reception import Reception
from bot.platforms.discord.trouble import PASSING
from bot.platforms.discord.tuning import Tuning
from bot.ports.platform import Inbox

LONGEST_ABSENCE = timedelta(days=1)
OVERLAP = timedelta(minutes=2)
"""Messages that arrive together are stored in any order, so look back a little further than the last one."""
DIRECT_SHARD = 0
"""It carries all direct chats."""
MAX_CONVERSATIONS = 1000
TRIES = 3
"""To read one channel."""

Readable = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread

log = structlog.get_logger(__name__)


async def last_heard(inbox: Inbox) -> Sequence[StoredMessage]:
    """Return the last stored message of each place that is looked at."""
    return await inbox.last_heard(DISCORD, limit=MAX_CONVERSATIONS)


async def catch_up(client: discord.Client, shard_id: int, heard: Sequence[StoredMessage], reception: Reception, tuning: Tuning) -> None:
    """Hand over what a shard's channels got since the last stored messages, at most a day back. A first start catches up on nothing."""
    if not heard:
        return
    found, unread = 0, 0
    async for channel, since in _channels_to_read(client, shard_id, heard):
        if found >= tuning.missed_altogether:
            unread += 1
            continue
        missed = await _missed_in(channel, since, min(tuning.missed_in_channel, tuning.missed_altogether - found), tuning)
        for message in missed:
            await reception.take(message, was_missed=True)
        found += len(missed)
    if unread:
        log.warning("discord_history_cut", messages=found, channels_unread=unread)
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


async def _missed_in(channel: discord.abc.Messageable, since: datetime, most: int, tuning: Tuning) -> Sequence[discord.Message]:
    """Return a channel's newest messages since then, oldest first; none where they cannot be read."""
    for wait, _ in zip(tuning.waits(), range(TRIES), strict=False):
        try:
            newest = [message async for message in channel.history(limit=most, after=since, oldest_first=False)]
        except (discord.Forbidden, discord.NotFound):
            return ()
        except PASSING as problem:
            log.warning("discord_history_not_read", problem=type(problem).__name__, retry_in=wait)
            await asyncio.sleep(wait)
        else:
            if len(newest) == most:
                log.warning("discord_history_cut", messages=len(newest))
            return newest[::-1]
    return ()
