"""Which conversation a channel is, asked of Discord where the event does not say."""

import asyncio

import discord
import structlog

from bot.platforms.discord.convert import Place, place_of
from bot.platforms.discord.trouble import OUT_OF_REACH
from bot.platforms.discord.tuning import Tuning

MOST_REMEMBERED = 10_000
"""Direct chats make up nearly all of them; the one that was asked for longest ago is asked for again."""

log = structlog.get_logger(__name__)


class Places:
    """Finds places and remembers those that had to be asked for.

    A message event names its channel by id. When discord.py does not know the channel, it takes every channel without a server
    for a direct chat, and every other for a plain channel. Both guesses could carry what was said privately into a room.
    """

    def __init__(self, client: discord.Client, tuning: Tuning) -> None:
        self._client = client
        self._tuning = tuning
        self._asked: dict[int, Place] = {}

    async def find(self, channel: "discord.abc.MessageableChannel") -> Place | None:
        """Return the place, however long Discord takes to tell; None where the bot may not look."""
        place = place_of(channel) or self._asked.get(channel.id)
        if place is None:
            place = await self._ask(channel.id)
            if place is not None:
                self._remember(channel.id, place)
        return place

    def _remember(self, channel_id: int, place: Place) -> None:
        self._asked[channel_id] = place
        if len(self._asked) > MOST_REMEMBERED:
            del self._asked[next(iter(self._asked))]

    async def _ask(self, channel_id: int) -> Place | None:
        for wait in self._tuning.waits():
            try:
                async with asyncio.timeout(self._tuning.request_seconds):
                    return place_of(await self._client.fetch_channel(channel_id))
            except (discord.NotFound, discord.Forbidden, discord.InvalidData) as problem:
                log.warning("discord_channel_unreadable", channel=channel_id, problem=type(problem).__name__)
                return None
            except (discord.DiscordException, *OUT_OF_REACH) as problem:
                if self._client.is_closed():  # the next connection reads what was said here
                    return None
                log.warning("discord_channel_not_resolved", channel=channel_id, problem=type(problem).__name__, retry_in=wait)
                await asyncio.sleep(wait)
        return None
