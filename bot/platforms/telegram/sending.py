"""Sends messages to where they belong, and mends what can be mended when Telegram refuses one."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import structlog
from telegram import Bot, ForceReply, InlineKeyboardMarkup, InputFile, LinkPreviewOptions, Message, ReplyParameters
from telegram.error import BadRequest, ChatMigrated

from bot.domain.chat import TELEGRAM, ConversationKey
from bot.domain.command import AnswerFile
from bot.domain.message import Part, ReplyTarget
from bot.errors import StoreError
from bot.platforms.telegram.convert import to_entities
from bot.platforms.telegram.refusals import says
from bot.platforms.telegram.tuning import Tuning
from bot.ports.platform import Inbox

MOST_TRIES = 4
Markup: TypeAlias = InlineKeyboardMarkup | ForceReply
"""What stands below a message."""
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes: a chat, perhaps a topic there, perhaps in reply to another message."""

    chat_id: int
    topic_id: int | None = None
    reply_to: int | None = None


def place_of(target: ReplyTarget) -> Place:
    """Return the place of an answer. A message from before a group became a supergroup cannot be replied to."""
    return place_in(target.conversation, int(target.reply_to) if target.reply_to.isdecimal() else None)


def place_in(conversation: ConversationKey, reply_to: int | None = None) -> Place:
    """Return where a message of a conversation goes."""
    return Place(int(conversation.channel_id), int(conversation.thread_id) if conversation.thread_id else None, reply_to)


@dataclass(slots=True)
class Sender:
    """Sends parts with one bot."""

    bot: Bot
    moved: dict[int, int] = field(default_factory=dict)
    """Groups that became supergroups, by their old id."""
    news: "asyncio.Queue[tuple[int, int]]" = field(default_factory=asyncio.Queue)
    """Moves that were learned of by a refusal, and that nobody else may tell."""

    async def send(self, place: Place, part: Part, *, keyboard: Markup | None = None) -> Message:
        """Return the sent message. Raises TelegramError for what cannot be mended."""
        for _ in range(MOST_TRIES - 1):
            place = self.current(place)
            try:
                return await self._send(place, part, keyboard)
            except ChatMigrated as error:
                self._learn_of_move(place.chat_id, error.new_chat_id)
            except BadRequest as error:
                place, part = await self._mended(place, part, error)
        return await self._send(self.current(place), part, keyboard)

    async def rewrite(self, place: Place, part: Part, message_id: int) -> bool:
        """Put a part in a message of the bot's own; False when it is gone. Raises TelegramError for what cannot be mended."""
        here = self.current(place)
        try:
            await self.bot.edit_message_text(
                part.text, here.chat_id, message_id, entities=to_entities(part), link_preview_options=_NO_PREVIEW
            )
        except BadRequest as error:
            if says(error, "not modified"):
                return True
            if says(error, "message to edit not found") or says(error, "message can't be edited"):
                return False
            if part.spans and says(error, "entit"):
                log.error("telegram_markup_refused", chat=here.chat_id, problem=error.message)
                return await self.rewrite(place, Part(part.text), message_id)
            raise
        return True

    async def send_file(self, place: Place, file: AnswerFile, caption: Part | None = None) -> Message:
        """Send a file as a document, with a part of at most 1,024 characters below it. Raises TelegramError for what cannot be mended."""
        here = self.current(place)
        try:
            return await self.bot.send_document(
                here.chat_id,
                InputFile(file.content, filename=file.name),
                message_thread_id=here.topic_id,
                caption=caption.text if caption else None,
                caption_entities=to_entities(caption) if caption else None,
                reply_parameters=_reply(here),
            )
        except ChatMigrated as error:
            if self.moved.get(here.chat_id) == error.new_chat_id:
                raise
            self._learn_of_move(here.chat_id, error.new_chat_id)
            return await self.send_file(here, file, caption)

    async def react(self, place: Place, emoji: str) -> None:
        """Put a reaction to the message that is replied to. Raises TelegramError."""
        here = self.current(place)
        if place.reply_to:
            await self.bot.set_message_reaction(here.chat_id, place.reply_to, reaction=emoji)

    def current(self, place: Place) -> Place:
        """Return the place after all moves of its chat that are known."""
        new_id = self.moved.get(place.chat_id)
        return place if new_id is None else Place(new_id, place.topic_id)

    def note_move(self, old_id: int, new_id: int) -> None:
        """Remember that a group became a supergroup."""
        if self.moved.get(old_id) != new_id:
            self.moved[old_id] = new_id
            log.info("telegram_group_moved", old=old_id, new=new_id)

    def _learn_of_move(self, old_id: int, new_id: int) -> None:
        """Take the news from a refusal: perhaps nobody else tells it."""
        self.note_move(old_id, new_id)
        self.news.put_nowait((old_id, new_id))

    async def _send(self, place: Place, part: Part, keyboard: Markup | None) -> Message:
        return await self.bot.send_message(
            place.chat_id,
            part.text,
            entities=to_entities(part),
            message_thread_id=place.topic_id,
            reply_parameters=_reply(place),
            link_preview_options=_NO_PREVIEW,
            reply_markup=keyboard,
        )

    async def _mended(self, place: Place, part: Part, error: BadRequest) -> tuple[Place, Part]:
        """Return what to try instead, or raise the refusal again."""
        if place.topic_id is not None and says(error, "thread not found") and not await self._has_topics(place.chat_id):
            log.info("telegram_topics_off", chat=place.chat_id)
            return replace(place, topic_id=None), part
        if part.spans and says(error, "entit"):
            log.error("telegram_markup_refused", chat=place.chat_id, problem=error.message)
            return place, Part(part.text)
        raise error

    async def _has_topics(self, chat_id: int) -> bool:
        return bool((await self.bot.get_chat(chat_id)).is_forum)


async def pass_on_moves(sender: Sender, inbox: Inbox, tuning: Tuning) -> None:
    """Tell the inbox of groups that turned out to have become supergroups when something was sent there."""
    while True:
        old_id, new_id = await sender.news.get()
        try:
            await inbox.moved(TELEGRAM, str(old_id), str(new_id))
        except StoreError as problem:
            log.error("telegram_move_not_stored", problem=str(problem))
            sender.news.put_nowait((old_id, new_id))
            await asyncio.sleep(tuning.first_wait)


def _reply(place: Place) -> ReplyParameters | None:
    return ReplyParameters(place.reply_to, allow_sending_without_reply=True) if place.reply_to else None
