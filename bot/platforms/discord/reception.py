"""Handing what was said to the inbox: each channel in its own order, nothing before what was missed."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from weakref import WeakValueDictionary

import discord
import structlog

from bot.domain.message import IncomingMessage
from bot.domain.textfile import is_text_file, text_of
from bot.errors import BotError
from bot.platforms.discord.convert import files_of, is_addressed, is_public, is_said, roles_of, to_edit, to_incoming
from bot.platforms.discord.places import Places
from bot.platforms.discord.trouble import OUT_OF_REACH
from bot.platforms.discord.tuning import Tuning
from bot.ports.platform import Inbox

FILE_SECONDS = 10.0

log = structlog.get_logger(__name__)


class Reception:
    """Takes messages and edits from one connection."""

    def __init__(self, inbox: Inbox, places: Places, me: discord.abc.User, tuning: Tuning) -> None:
        self._inbox = inbox
        self._places = places
        self._me = me
        self._tuning = tuning
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def take(self, message: discord.Message, *, was_missed: bool = False) -> None:
        """Store a message that somebody wrote. Who could read one that was missed when it was said, nobody knows."""
        if not is_said(message, self._me):
            return
        was_public = not was_missed and is_public(message.channel)
        async with self._turn(message.channel.id):
            place = await self._places.find(message.channel)
            if place is None:
                return
            texts = await _read_files(message) if is_addressed(message, place, self._me) else {}
            incoming = await self._with_roles(message, to_incoming(message, place, self._me, texts=texts))
            incoming = replace(incoming, is_public=incoming.is_public and was_public)
            for wait in self._tuning.waits():
                try:
                    await self._inbox.receive(incoming)
                except BotError as problem:
                    log.error("discord_message_not_stored", message=message.id, problem=type(problem).__name__, retry_in=wait)
                    await asyncio.sleep(wait)
                else:
                    return

    async def take_edit(self, message: discord.Message) -> None:
        """Pass on that somebody changed their words; a link that got its preview is no change."""
        if not is_said(message, self._me) or message.edited_at is None:
            return
        async with self._turn(message.channel.id):
            place = await self._places.find(message.channel)
            if place is not None:
                await self._inbox.edit(to_edit(message, place, self._me))

    async def take_deletion(self, channel: "discord.abc.MessageableChannel", message_ids: Sequence[int]) -> None:
        """Pass on that messages were deleted, after all that was said before is stored."""
        async with self._turn(channel.id):
            place = await self._places.find(channel)
            if place is None:
                return
            for wait in self._tuning.waits():
                try:
                    await self._inbox.delete(place.conversation, [str(message_id) for message_id in message_ids])
                except BotError as problem:
                    log.error("discord_deletion_not_stored", messages=len(message_ids), problem=type(problem).__name__, retry_in=wait)
                    await asyncio.sleep(wait)
                else:
                    return

    async def _with_roles(self, message: discord.Message, incoming: IncomingMessage) -> IncomingMessage:
        """Return a message to the bot with its author's roles of this moment: one that is read later comes without."""
        told = incoming.author.roles is not None or incoming.author.is_service
        if told or message.guild is None or not incoming.addressed_to_bot:
            return incoming
        try:
            async with asyncio.timeout(self._tuning.request_seconds):
                member = await message.guild.fetch_member(message.author.id)
        except (discord.DiscordException, *OUT_OF_REACH) as problem:
            log.info("discord_roles_unknown", message=message.id, problem=type(problem).__name__)
            return incoming
        return replace(incoming, author=replace(incoming.author, roles=roles_of(member)))

    @asynccontextmanager
    async def _turn(self, channel_id: int) -> AsyncIterator[None]:
        lock = self._turns.setdefault(channel_id, asyncio.Lock())
        async with lock:
            yield


async def _read_files(message: discord.Message) -> Mapping[int, str]:
    texts: dict[int, str] = {}
    for file in files_of(message):
        if not is_text_file(file.content_type or "", file.size):
            continue
        try:
            async with asyncio.timeout(FILE_SECONDS):
                data = await file.read()
        except (discord.DiscordException, *OUT_OF_REACH) as problem:
            log.warning("discord_file_not_read", file=file.id, problem=type(problem).__name__)
            continue
        texts[file.id] = text_of(data)
    return texts
