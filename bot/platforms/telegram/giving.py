"""Brings what commands say to the right eyes: into the chat, or to the asker alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import structlog
from telegram import Bot, Message, MessageEntity, User
from telegram.error import BadRequest, Forbidden

from bot.commands.escape import shown
from bot.domain.command import Answer, AnswerFile
from bot.domain.message import Part
from bot.platforms.telegram.asked import Asked
from bot.platforms.telegram.buttons import Pressed, keyboard
from bot.platforms.telegram.convert import conversation_of, to_entities, words_of
from bot.platforms.telegram.patience import patiently
from bot.platforms.telegram.render import render
from bot.platforms.telegram.sending import Markup, Place, Sender, place_in
from bot.platforms.telegram.split import split
from bot.platforms.telegram.tappable import tappable
from bot.platforms.telegram.tuning import Tuning
from bot.wording.say import later, say, translated

SENT_IN_PRIVATE = later("I sent you the answer in our private chat.")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Giver:
    """Sends answers over one connection. Raises TelegramError where Telegram takes none."""

    bot: Bot
    me: User
    sender: Sender
    tuning: Tuning
    named: frozenset[str] = frozenset()
    """The commands that a tap can send."""

    async def give(self, answer: Answer, asked: Asked) -> None:
        """Give an answer where the command was given, or to the asker alone with a hint there."""
        if answer.private and asked.has_eyes_of_its_own:
            hint = translated(SENT_IN_PRIVATE) if await self.give_in_private(answer, asked) else self.how_to_start()
            await self.say(hint, asked.place)
            return
        buttons = keyboard(answer, asker_id=int(asked.asker.id))
        await self.send(asked.place, self._parts(answer.text), buttons)
        await self.send_file(asked.place, answer.file)

    async def give_in_private(self, answer: Answer, asked: Asked) -> bool:
        """Send an answer to the asker alone; False when Telegram does not let the bot write to them."""
        asker_id = int(asked.asker.id)
        buttons = keyboard(answer, asker_id=asker_id, asked_in=asked.conversation)
        parts = self._parts(_below_title(answer.text, asked.title))
        try:
            await self.send(Place(asker_id), parts, buttons)
            await self.send_file(Place(asker_id), answer.file)
        except (Forbidden, BadRequest) as error:
            log.info("telegram_private_answer_refused", problem=error.message)
            return False
        return True

    async def replace(self, question: Message, answer: Answer, pressed: Pressed) -> None:
        """Put the answer in place of the question and its buttons; buttons of its own stand below its first part."""
        title = _title_above(question) if pressed.asked_in is not None else ""
        parts = self._parts(_below_title(answer.text, title))
        buttons = keyboard(answer, asker_id=pressed.asker_id or question.chat.id, asked_in=pressed.asked_in)
        try:
            for part in parts[:1]:
                edit = partial(question.edit_text, part.text, entities=to_entities(part), reply_markup=buttons)
                await patiently(edit, self.tuning)
            parts = parts[1:]
        except BadRequest as error:
            log.info("telegram_question_not_replaced", chat=question.chat.id, problem=error.message)
        await self.send(place_in(conversation_of(question)), parts)
        await self.send_file(place_in(conversation_of(question)), answer.file)

    async def say(self, text: str, place: Place) -> None:
        """Send some Markdown."""
        await self.send(place, self._parts(text))

    async def send(self, place: Place, parts: Sequence[Part], buttons: Markup | None = None) -> Message | None:
        """Send parts in order, the first as a reply, the last with the buttons; return the last one's message."""
        message = None
        for index, part in enumerate(parts):
            here = place if index == 0 else replace(place, reply_to=None)
            with_buttons = buttons if index == len(parts) - 1 else None
            message = await patiently(partial(self.sender.send, here, part, keyboard=with_buttons), self.tuning)
        return message

    async def send_file(self, place: Place, file: AnswerFile | None) -> None:
        """Send a file if there is one."""
        if file is not None:
            await patiently(partial(self.sender.send_file, place, file), self.tuning)

    def _parts(self, text: str) -> Sequence[Part]:
        return [tappable(part, self.named) for part in split(render(text))]

    def how_to_start(self) -> str:
        """Return what somebody does to whom Telegram lets the bot not write."""
        return say(
            "The answer is for you alone. Open {link}, press Start, and give the command again here.",
            link=f"https://t.me/{self.me.username}",
        )


def _below_title(text: str, title: str) -> str:
    """Return Markdown below the name of the group that it is about, if it is about one."""
    return f"*{shown(title)}*\n\n{text}" if title else text


def _title_above(answer: Message) -> str:
    """Return the name of the group that stands above an answer that was given in private."""
    first = next(iter(answer.entities), None)
    return words_of(answer.text or "", first) if first is not None and first.type == MessageEntity.ITALIC and first.offset == 0 else ""
