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
from bot.platforms.discord.account import Account
from bot.platforms.discord.convert import (
    Place,
    files_of,
    is_addressed,
    is_empty,
    is_public,
    is_said,
    replies_to,
    roles_of,
    thread_place,
    to_edit,
    to_incoming,
    to_starter,
)
from bot.platforms.discord.known import Change, Known
from bot.platforms.discord.places import Places
from bot.platforms.discord.starters import Starters
from bot.platforms.discord.trouble import OUT_OF_REACH
from bot.platforms.discord.tuning import Tuning
from bot.platforms.discord.wording import title_line
from bot.ports.platform import Inbox

FILE_SECONDS = 10.0

log = structlog.get_logger(__name__)


class Reception:
    """Takes messages and edits from one connection."""

    def __init__(self, inbox: Inbox, places: Places, me: Account, tuning: Tuning, *, known: Known, reads_messages: bool = True) -> None:
        """Take what it needs; without `reads_messages` Discord tells only some of what is said, and empty messages for the rest."""
        self._inbox = inbox
        self._places = places
        self._me = me
        self._tuning = tuning
        self._known = known
        self._reads_messages = reads_messages
        self._starters = Starters(tuning)
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def take(self, message: discord.Message, *, was_missed: bool = False) -> None:
        """Store a message that somebody wrote. Who could read one that was missed when it was said, nobody knows."""
        if not self._is_heard(message):
            return
        was_public = not was_missed and is_public(message.channel)
        async with self._turn(message.channel.id):
            place = await self._places.find(message.channel)
            if place is None:
                return
            await self._fetch_what_it_answers(message)
            if isinstance(message.channel, discord.Thread):
                await self._take_starter(message.channel, place, message)
            texts = await _read_files(message) if is_addressed(message, place, self._me) else {}
            incoming = await self._with_roles(message, to_incoming(message, place, self._me, texts=texts))
            incoming = replace(incoming, text=_under_title(incoming.text, message))
            if was_missed and (discord.utils.utcnow() - message.created_at).total_seconds() > self._tuning.answer_missed_seconds:
                incoming = replace(incoming, addressed_to_bot=False, only_heard=True)
            await self._hand_in(replace(incoming, is_public=incoming.is_public and was_public))
            self._known.note(message)

    async def take_edit(self, message: discord.Message) -> None:
        """Pass on that somebody changed their words, or that a link got its preview; pins and the like are no change."""
        if not self._is_heard(message):
            return
        async with self._turn(message.channel.id):
            change = self._known.change(message)
            place = await self._places.find(message.channel) if change is not Change.NOTHING else None
            if place is None:
                return
            texts = await _read_files(message) if is_addressed(message, place, self._me) else {}
            edit = to_edit(message, place, self._me, texts=texts)
            edit = replace(edit, text=_under_title(edit.text, message), says_the_same=change is Change.SHOWN)
            await self._inbox.edit(edit)
            thread = message.thread if message.flags.has_thread else None
            if thread is not None:
                inside = thread_place(place, message.id).conversation
                await self._inbox.edit(replace(edit, conversation=inside, text=f"{title_line(thread)}\n{edit.text}"))
            self._known.note(message)

    async def take_deletion(self, channel: "discord.abc.MessageableChannel", message_ids: Sequence[int]) -> None:
        """Pass on that messages were deleted, after all that was said before is stored.

        A thread that was made from one of them has that message as its first line, and the same id.
        """
        async with self._turn(channel.id):
            place = await self._places.find(channel)
            if place is None:
                return
            await self._delete(place, message_ids)
            if isinstance(channel, discord.TextChannel):
                for message_id in message_ids:
                    await self._delete(thread_place(place, message_id), [message_id])

    async def _delete(self, place: Place, message_ids: Sequence[int]) -> None:
        for wait in self._tuning.waits():
            try:
                await self._inbox.delete(place.conversation, [str(message_id) for message_id in message_ids])
            except BotError as problem:
                log.error("discord_deletion_not_stored", messages=len(message_ids), problem=type(problem).__name__, retry_in=wait)
                await asyncio.sleep(wait)
            else:
                return

    async def _hand_in(self, incoming: IncomingMessage) -> None:
        for wait in self._tuning.waits():
            try:
                await self._inbox.receive(incoming)
            except BotError as problem:
                log.error("discord_message_not_stored", message=incoming.message_id, problem=type(problem).__name__, retry_in=wait)
                await asyncio.sleep(wait)
            else:
                return

    def _is_heard(self, message: discord.Message) -> bool:
        return is_said(message, self._me) and (self._reads_messages or not is_empty(message))

    async def _take_starter(self, thread: discord.Thread, place: Place, first_heard: discord.Message) -> None:
        """Hand in what a thread began with, before the first that is heard in it; also where the bot itself had said it."""
        if first_heard.id == thread.id:
            self._starters.note(thread.id)
            return
        found = await self._starters.find(thread)
        if found is not None and (is_said(found, self._me) or self._me.wrote(found)):
            await self._hand_in(to_starter(found, place, self._me, title_line(thread)))
            self._known.note(found)

    async def _fetch_what_it_answers(self, message: discord.Message) -> None:
        """Ask once for a message that is answered, where Discord did not send it along."""
        answered = replies_to(message)
        if answered is None or message.reference is None or message.reference.resolved is not None:
            return
        try:
            async with asyncio.timeout(self._tuning.request_seconds):
                message.reference.resolved = await message.channel.fetch_message(answered)
        except (discord.DiscordException, *OUT_OF_REACH) as problem:
            log.info("discord_answered_message_unknown", message=message.id, problem=type(problem).__name__)

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


def _under_title(text: str, message: discord.Message) -> str:
    """Return what a message says, under the title of the forum's post that begins with it."""
    post = message.channel
    return f"{title_line(post)}\n{text}".strip() if isinstance(post, discord.Thread) and post.id == message.id else text


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
