"""Takes Telegram's updates, one after the other, and hands them to the inbox."""

import asyncio
import traceback
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import structlog
from telegram import Bot, ChatMemberUpdated, Message, Update, User
from telegram.constants import ChatMemberStatus, ChatType

from bot.domain.chat import TELEGRAM
from bot.domain.message import IncomingMessage
from bot.platforms.telegram.attachments import with_text
from bot.platforms.telegram.commands import CommandTalk
from bot.platforms.telegram.convert import author_of, to_edit, to_incoming
from bot.platforms.telegram.request import UNREADABLE
from bot.platforms.telegram.sending import Sender
from bot.platforms.telegram.typed import Addressee, TypedCommand, typed_command
from bot.ports.platform import Inbox

KINDS = ("message", "edited_message", "channel_post", "edited_channel_post", "callback_query", "my_chat_member")
"""The updates to ask Telegram for."""
_START = "start"
"""What Telegram sends when somebody opens the chat with a bot: no command of ours, but a hello."""
_HELLO = "Hello!"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Reception:
    """Takes updates over one connection. Messages and edits are stored when `take` returns; commands run beside, in `tasks`."""

    bot: Bot
    me: User
    inbox: Inbox
    sender: Sender
    talk: CommandTalk
    tasks: asyncio.TaskGroup

    async def take(self, update: Update) -> None:
        """Take one update; one of a shape that nobody expected is skipped. Raises StoreError when it could not be stored."""
        with _skipping_what_cannot_be_read(update):
            await self._take(update)

    async def _take(self, update: Update) -> None:
        message, edited = update.message or update.channel_post, update.edited_message or update.edited_channel_post
        if update.my_chat_member is not None:
            await self._take_membership(update.my_chat_member)
        elif update.callback_query is not None:
            self._begin(update, self.talk.answer_pressed(update.callback_query))
        elif message is not None:
            await self._take_message(update, message)
        elif edited is not None and typed_command(edited, self.me, self.inbox.commands) is None:
            await self.inbox.edit(to_edit(edited, self.me))

    async def _take_membership(self, change: ChatMemberUpdated) -> None:
        """Pass on that the bot has left a group or is in it again. Who blocks it in private only stops talking to it."""
        chat = str(change.chat.id)
        if change.chat.type == ChatType.PRIVATE:
            return
        if change.new_chat_member.status in {ChatMemberStatus.LEFT, ChatMemberStatus.BANNED}:
            await self.inbox.left(TELEGRAM, chat)
        else:
            await self.inbox.joined(TELEGRAM, chat)

    async def _take_message(self, update: Update, message: Message) -> None:
        if message.migrate_to_chat_id is not None:
            self.sender.note_move(message.chat.id, message.migrate_to_chat_id)
        command = typed_command(message, self.me, self.inbox.commands)
        if command is not None and command.addressee is not Addressee.ANYBODY:
            await self._take_command(update, command, message)
            return
        incoming = to_incoming(message, self.me)
        if incoming is not None:
            await self._receive(incoming)

    async def _take_command(self, update: Update, command: TypedCommand, message: Message) -> None:
        if command.addressee is Addressee.ANOTHER or author_of(message).is_bot:
            log.debug("telegram_command_of_others", chat=message.chat.id)
        elif command.name == _START:
            hello = to_incoming(message, self.me)
            if hello is not None:
                await self._receive(replace(hello, text=_HELLO, addressed_to_bot=True))
        else:
            self._begin(update, self.talk.answer_typed(command.line, message))

    def _begin(self, update: Update, answering: Coroutine[None, None, None]) -> None:
        """Answer beside the other updates."""

        async def answer() -> None:
            with _skipping_what_cannot_be_read(update):
                await answering

        self.tasks.create_task(answer())

    async def _receive(self, message: IncomingMessage) -> None:
        read = [await with_text(self.bot, attachment) for attachment in message.attachments]
        await self.inbox.receive(replace(message, attachments=tuple(read)))


@contextmanager
def _skipping_what_cannot_be_read(update: Update) -> Iterator[None]:
    """Note what failed and go on: raised any further, it would end the connection, and come again after it."""
    try:
        yield
    except UNREADABLE as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        log.error("telegram_update_skipped", update=update.update_id, kind=type(error).__name__, where=f"{place.name}, line {place.lineno}")
