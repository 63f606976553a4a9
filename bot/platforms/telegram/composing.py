"""Shows in a chat that an answer is being written."""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

import structlog
from telegram import Bot
from telegram.constants import ChatAction
from telegram.error import TelegramError

from bot.platforms.alongside import alongside
from bot.platforms.growing import NoDraft
from bot.platforms.telegram.convert import to_entities
from bot.platforms.telegram.render import render
from bot.platforms.telegram.request import Flooded
from bot.platforms.telegram.sending import Place
from bot.platforms.telegram.split import split
from bot.ports.platform import Draft

log = structlog.get_logger(__name__)


def typing(bot: Bot, place: Place, every: float) -> AbstractAsyncContextManager[None]:
    """Show "typing…" as long as the context is open, anew every so many seconds."""
    return alongside(_keep_typing(bot, place, every))


async def _keep_typing(bot: Bot, place: Place, every: float) -> None:
    while True:
        wait = every
        try:
            await bot.send_chat_action(place.chat_id, ChatAction.TYPING, message_thread_id=place.topic_id)
        except Flooded as flood:
            wait = max(wait, flood.retry_after)
        except TelegramError as error:
            log.info("telegram_typing_failed", chat=place.chat_id, kind=type(error).__name__)
        await asyncio.sleep(wait)


@dataclass(slots=True)
class Preview:
    """The Draft of one answer in a private chat, in Telegram's own way. Where Telegram refuses that, it is shown in a message."""

    bot: Bot
    place: Place
    every: float
    instead: Draft = field(default_factory=NoDraft)
    _next_at: float = 0.0
    _shown: str = ""
    _gave_up: bool = False
    _clock: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)

    @property
    def message_id(self) -> str:
        """Return the message that shows it where previews are refused."""
        return self.instead.message_id

    async def show(self, text: str) -> None:
        """Show the text so far, not too often; of a long one its last part."""
        if self._gave_up:
            await self.instead.show(text)
            return
        if self._clock.time() < self._next_at:
            return
        parts = split(render(text))
        if not parts or parts[-1].text == self._shown:
            return
        self._next_at = self._clock.time() + self.every
        self._shown = parts[-1].text
        try:
            await self.bot.send_message_draft(self.place.chat_id, self.place.reply_to or 1, parts[-1].text, entities=to_entities(parts[-1]))
        except TelegramError as error:
            self._gave_up = True
            log.info("telegram_draft_failed", chat=self.place.chat_id, kind=type(error).__name__)
