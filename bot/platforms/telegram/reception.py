"""Takes Telegram's updates and hands them to the inbox."""

import asyncio
import time
import traceback
from collections import OrderedDict
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import structlog
from telegram import Bot, ChatMemberUpdated, Message, Poll, Update, User
from telegram.constants import ChatMemberStatus, ChatType

from bot.domain.chat import TELEGRAM
from bot.domain.message import IncomingMessage
from bot.platforms.telegram.albums import KnownAlbums, album_in, message_in
from bot.platforms.telegram.attachments import with_text
from bot.platforms.telegram.commands import CommandTalk
from bot.platforms.telegram.convert import (
    author_of,
    in_new_chat,
    is_notice,
    to_edit,
    to_incoming,
    to_joined,
    to_joined_edit,
    with_end_of_poll,
)
from bot.platforms.telegram.request import UNREADABLE
from bot.platforms.telegram.sending import Sender
from bot.platforms.telegram.tuning import Tuning
from bot.platforms.telegram.typed import Addressee, TypedCommand, typed_command
from bot.ports.platform import Inbox

KINDS = ("message", "edited_message", "channel_post", "edited_channel_post", "callback_query", "my_chat_member", "poll")
"""The updates to ask Telegram for."""
MOST_POLLS = 200
"""Polls whose end is understood."""
JUST_NOW = 5.0
"""Seconds; a message that is older has waited."""
_START = "start"
"""What Telegram sends when somebody opens the chat with a bot: no command of ours, but a hello."""
_HELLO = "Hello!"

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Missed:
    """Messages that had waited at Telegram while the bot was away."""

    recent: int = 0
    """As good as new: answered where they are for the bot."""
    noted: int = 0
    """Too old to be answered."""


@dataclass(frozen=True, slots=True)
class Reception:
    """Takes updates over one connection. Messages and edits are stored when `take` returns; commands run beside, in `tasks`."""

    bot: Bot
    me: User
    inbox: Inbox
    sender: Sender
    talk: CommandTalk
    tasks: asyncio.TaskGroup
    tuning: Tuning
    missed: Missed = field(default_factory=Missed)
    albums: KnownAlbums = field(default_factory=KnownAlbums)
    polls: OrderedDict[str, Message] = field(default_factory=OrderedDict)
    """The last polls that people have asked, by their id: Telegram tells of their end without saying where they stand."""

    async def take(self, updates: Sequence[Update], has_waited: bool) -> None:
        """Take one update, or the messages of an album; one of a shape that nobody expected is skipped.

        Of what has waited, old messages are only noted. Raises StoreError when something could not be stored.
        """
        with _skipping_what_cannot_be_read(updates[0]):
            if album_in(updates[0]) is None:
                await self._take(updates[0], has_waited)
            else:
                await self._take_album(
                    updates[0], [message for update in updates if (message := message_in(update)) is not None], has_waited
                )

    async def take_one(self, update: Update) -> None:
        """Take an update that was delivered: whether it has waited, nobody tells. Of an album the first part comes alone."""
        await self.take([update], True)
        self.caught_up()

    def caught_up(self) -> None:
        """Tell in the log what had waited, in counts."""
        if self.missed.recent or self.missed.noted:
            log.info("telegram_caught_up", messages=self.missed.recent, only_noted=self.missed.noted)
        self.missed.recent = self.missed.noted = 0

    async def _take(self, update: Update, has_waited: bool) -> None:
        message, edited = message_in(update), update.edited_message or update.edited_channel_post
        if update.my_chat_member is not None:
            await self._take_membership(update.my_chat_member)
        elif update.callback_query is not None:
            self._begin(update, self.talk.answer_pressed(update.callback_query))
        elif update.poll is not None:
            await self._take_end_of_poll(update.poll)
        elif message is not None:
            await self._take_message(update, message, has_waited)
        elif edited is not None and typed_command(edited, self.me, self.inbox.commands) is None:
            await self._take_edit(edited)

    async def _take_membership(self, change: ChatMemberUpdated) -> None:
        """Pass on that the bot has left a group or is in it again. Who blocks it in private only stops talking to it."""
        chat = str(change.chat.id)
        if change.chat.type == ChatType.PRIVATE:
            return
        if change.new_chat_member.status in {ChatMemberStatus.LEFT, ChatMemberStatus.BANNED}:
            await self.inbox.left(TELEGRAM, chat)
        else:
            await self.inbox.joined(TELEGRAM, chat)

    async def _take_message(self, update: Update, message: Message, has_waited: bool) -> None:
        if message.business_connection_id is not None:
            return  # a chat of two people, in which the bot may read along
        if message.migrate_to_chat_id is not None:
            await self._take_move(message.chat.id, message.migrate_to_chat_id)
        elif message.migrate_from_chat_id is not None:
            await self._take_move(message.migrate_from_chat_id, message.chat.id)
        if self._take_step(update, message):
            return
        command = typed_command(message, self.me, self.inbox.commands)
        if command is not None and command.addressee is not Addressee.ANYBODY:
            await self._take_command(update, command, message, has_waited)
            return
        if message.poll is not None:
            self._note_poll(message.poll.id, message)
        await self._receive(to_incoming(message, self.me), has_waited)

    def _take_step(self, update: Update, message: Message) -> bool:
        """Hand on what answers a question of ours for something that a command lacks; it is no part of any conversation."""
        step = None if author_of(message).is_bot else self.talk.questions.step(message, self.me, self.inbox.commands)
        if step is not None:
            self._begin(update, self.talk.answer_step(step, message))
        return step is not None

    async def _take_album(self, update: Update, parts: Sequence[Message], has_waited: bool) -> None:
        """Store an album as one message; what comes of it later is a change of that. As an answer to a question its first file counts."""
        album = (parts[0].chat.id, str(parts[0].media_group_id))
        is_known = album in self.albums.messages
        parts = self.albums.note(album, parts)
        if is_known:
            await self.inbox.edit(to_joined_edit(parts, self.me))
        elif not self._take_step(update, parts[0]):
            await self._receive(to_joined(parts, self.me), has_waited)

    async def _take_edit(self, edited: Message) -> None:
        if edited.location is not None:
            return  # somebody walks about with a live location
        album = (edited.chat.id, edited.media_group_id or "")
        if album in self.albums.messages:
            await self.inbox.edit(to_joined_edit(self.albums.note(album, [edited]), self.me))
        elif not is_notice(edited, self.me):
            await self.inbox.edit(to_edit(edited, self.me))

    async def _take_end_of_poll(self, poll: Poll) -> None:
        asked = self.polls.get(poll.id)
        if asked is not None and poll.is_closed:
            await self.inbox.edit(replace(to_edit(asked, self.me), text=with_end_of_poll(asked, poll, self.me)))

    def _note_poll(self, poll_id: str, message: Message) -> None:
        self.polls[poll_id] = message
        if len(self.polls) > MOST_POLLS:
            self.polls.popitem(last=False)

    async def _take_move(self, old_id: int, new_id: int) -> None:
        """Let what is kept of a group follow it; both chats tell of the move, in any order."""
        self.sender.note_move(old_id, new_id)
        await self.inbox.moved(TELEGRAM, str(old_id), str(new_id))

    async def _take_command(self, update: Update, command: TypedCommand, message: Message, has_waited: bool) -> None:
        if command.addressee is Addressee.ANOTHER or author_of(message).is_bot:
            log.debug("telegram_command_of_others", chat=message.chat.id)
        elif command.name == _START:
            hello = to_incoming(message, self.me)
            if hello is not None:
                await self._receive(replace(hello, text=_HELLO, addressed_to_bot=True), has_waited)
        else:
            self._begin(update, self.talk.answer_typed(command.line, message))

    def _begin(self, update: Update, answering: Coroutine[None, None, None]) -> None:
        """Answer beside the other updates."""

        async def answer() -> None:
            with _skipping_what_cannot_be_read(update):
                await answering

        self.tasks.create_task(answer())

    async def _receive(self, message: IncomingMessage | None, has_waited: bool) -> None:
        if message is None:
            return
        new_id = self.sender.moved.get(int(message.conversation.channel_id))
        if new_id is not None:
            message = in_new_chat(message, new_id)
        if has_waited:
            message = self._noted_if_old(message)
        read = [await with_text(self.bot, attachment) for attachment in message.attachments]
        await self.inbox.receive(replace(message, attachments=tuple(read)))

    def _noted_if_old(self, message: IncomingMessage) -> IncomingMessage:
        age = time.time() - message.sent_at.timestamp()
        if age <= self.tuning.answer_missed_seconds:
            self.missed.recent += age > JUST_NOW
            return message
        self.missed.noted += 1
        return replace(message, addressed_to_bot=False, only_heard=True)


@contextmanager
def _skipping_what_cannot_be_read(update: Update) -> Iterator[None]:
    """Note what failed and go on: raised any further, it would end the connection, and come again after it."""
    try:
        yield
    except UNREADABLE as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        log.error("telegram_update_skipped", update=update.update_id, kind=type(error).__name__, where=f"{place.name}, line {place.lineno}")
