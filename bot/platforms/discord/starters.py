"""What threads and forum posts began with, which is said elsewhere or long before the bot hears of them."""

import asyncio

import discord
import structlog

from bot.platforms.discord.trouble import OUT_OF_REACH
from bot.platforms.discord.tuning import Tuning

MOST_REMEMBERED = 10_000
"""Threads; the one that was heard of longest ago is asked for again."""

log = structlog.get_logger(__name__)


class Starters:
    """Finds the first message of each thread, once for each in a process."""

    def __init__(self, tuning: Tuning) -> None:
        self._tuning = tuning
        self._seen: dict[int, None] = {}

    async def find(self, thread: discord.Thread) -> discord.Message | None:
        """Return the message that a thread began with; None where it began with none, or this was asked before.

        A thread made from a message, and a forum's post, have the id of that message.
        """
        if thread.id in self._seen or thread.is_private():
            return None
        channel = thread if isinstance(thread.parent, discord.ForumChannel) else thread.parent
        if not isinstance(channel, discord.Thread | discord.TextChannel):
            return None
        try:
            async with asyncio.timeout(self._tuning.request_seconds):
                found = await channel.fetch_message(thread.id)
        except (discord.NotFound, discord.Forbidden):
            found = None
        except (discord.DiscordException, *OUT_OF_REACH) as problem:
            log.info("discord_thread_start_not_read", thread=thread.id, problem=type(problem).__name__)
            return None
        self.note(thread.id)
        return found

    def note(self, thread_id: int) -> None:
        """Remember that the start of a thread is known."""
        self._seen[thread_id] = None
        if len(self._seen) > MOST_REMEMBERED:
            del self._seen[next(iter(self._seen))]
