"""Updates that the bot asks for."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog
from telegram import Bot, Update
from telegram.error import InvalidToken, TelegramError

from bot.errors import StoreError
from bot.platforms.telegram.refusals import described
from bot.platforms.telegram.tuning import Tuning

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Poll:
    """Fetches updates in order. An update is acknowledged, and so gone at Telegram, only after it was taken."""

    bot: Bot
    kinds: Sequence[str]
    take: Callable[[Update], Awaitable[None]]
    tuning: Tuning
    _offset: int = 0
    _acknowledged: int = 0
    _failures: int = 0
    _has_no_webhook: bool = False

    async def until_refused(self) -> None:
        """Fetch and take updates; return only when Telegram no longer knows the token."""
        try:
            while True:
                try:
                    await self._round()
                except InvalidToken:
                    return
                except TelegramError as error:
                    await self._wait_after(error)
                except StoreError as error:
                    log.error("telegram_update_not_stored", problem=str(error))
                    await asyncio.sleep(self.tuning.first_wait)
        finally:
            await self._say_goodbye()

    async def _round(self) -> None:
        if not self._has_no_webhook:
            self._has_no_webhook = await self.bot.delete_webhook()
        updates = await self.bot.get_updates(offset=self._offset, timeout=int(self.tuning.poll), allowed_updates=self.kinds)
        self._acknowledged = self._offset
        if self._failures:
            log.info("telegram_connected_again", failures=self._failures)
            self._failures = 0
        for update in updates:
            await self.take(update)
            self._offset = update.update_id + 1

    async def _wait_after(self, error: TelegramError) -> None:
        self._failures += 1
        wait = self.tuning.wait_after(self._failures, error)
        log.warning("telegram_out_of_reach", problem=described(error), retry_in=round(wait, 1))
        await asyncio.sleep(wait)

    async def _say_goodbye(self) -> None:
        """Acknowledge what was taken last, so that no command runs again at the next start."""
        if self._offset == self._acknowledged:
            return
        try:
            async with asyncio.timeout(self.tuning.goodbye):
                await self.bot.get_updates(offset=self._offset, limit=1, timeout=0, allowed_updates=self.kinds)
        except (TelegramError, TimeoutError) as error:
            log.info("telegram_goodbye_failed", kind=type(error).__name__)
