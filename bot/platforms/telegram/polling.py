"""Updates that the bot asks for."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import structlog
from telegram import Bot, Update
from telegram.error import InvalidToken, TelegramError

from bot.errors import StoreError
from bot.platforms.telegram.albums import MOST_IN_ALBUM, Album, Take, album_in, grouped, message_in
from bot.platforms.telegram.refusals import described
from bot.platforms.telegram.tuning import Tuning

log = structlog.get_logger(__name__)


MOST_UPDATES = 100
"""Telegram gives as many at once; when it gives fewer, none wait any more."""
CHATS_AT_ONCE = 32
"""Chats whose updates are taken beside one another."""


@dataclass(slots=True)
class Poll:
    """Fetches updates, and takes those of a chat in order. One is acknowledged, and so gone at Telegram, only after it was taken.

    The messages of an album are taken together: when it is new, it is fetched once more a moment later, with those on their way.
    """

    bot: Bot
    kinds: Sequence[str]
    take: Take
    caught_up: Callable[[], None]
    """Called when all that had waited at Telegram is taken."""
    tuning: Tuning
    _offset: int = 0
    _acknowledged: int = 0
    _failures: int = 0
    _has_no_webhook: bool = False
    _is_catching_up: bool = True
    _taken: set[int] = field(default_factory=set)
    """Updates that were taken before others that came earlier."""
    _awaited: set[Album] = field(default_factory=set)
    """Albums that were given a moment."""

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
        # What is there at once has waited; what comes while Telegram keeps the request open is new.
        seconds = 0 if self._is_catching_up else int(self.tuning.poll)
        fetched = await self.bot.get_updates(offset=self._offset, limit=MOST_UPDATES, timeout=seconds, allowed_updates=self.kinds)
        self._acknowledged = self._offset
        if self._failures:
            log.info("telegram_connected_again", failures=self._failures)
            self._failures = 0
        if await self._take_all(fetched) and self._is_catching_up and len(fetched) < MOST_UPDATES:
            self._is_catching_up = False
            self.caught_up()

    async def _take_all(self, fetched: Sequence[Update]) -> bool:
        """Take what was fetched, up to an album that may still grow; say whether it was all."""
        groups = grouped([update for update in fetched if update.update_id not in self._taken])
        growing = next((index for index, group in enumerate(groups) if self._may_grow(group)), len(groups))
        await self._take_beside(groups[:growing], fetched)
        if growing == len(groups):
            return True
        self._awaited |= {new for later in groups[growing:] if (new := album_in(later[0])) is not None}
        await asyncio.sleep(self.tuning.album)
        return False

    def _may_grow(self, group: Sequence[Update]) -> bool:
        album = album_in(group[0])
        return album is not None and album not in self._awaited and len(group) < MOST_IN_ALBUM

    async def _take_beside(self, groups: Sequence[Sequence[Update]], fetched: Sequence[Update]) -> None:
        """Take updates, those of different chats beside one another: so a busy store is not waited for once for each of them.

        Raises what failed first, after all chats are done as far as they go.
        """
        places = asyncio.Semaphore(CHATS_AT_ONCE)

        async def take_in_order(those: Sequence[Sequence[Update]]) -> None:
            async with places:
                for group in those:
                    await self.take(group, self._is_catching_up)
                    self._note_taken(group, fetched)
                    self._awaited.discard(album_in(group[0]) or (0, ""))

        ends = await asyncio.gather(*map(take_in_order, _by_chat(groups)), return_exceptions=True)
        for end in ends:
            if end is not None:
                raise end

    def _note_taken(self, group: Sequence[Update], fetched: Sequence[Update]) -> None:
        self._taken |= {update.update_id for update in group}
        waiting = [update.update_id for update in fetched if update.update_id >= self._offset and update.update_id not in self._taken]
        self._offset = min(waiting, default=max(update.update_id for update in fetched) + 1)
        self._taken = {update_id for update_id in self._taken if update_id >= self._offset}

    async def _wait_after(self, error: TelegramError) -> None:
        self._failures += 1
        self._is_catching_up = True
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


def _by_chat(groups: Sequence[Sequence[Update]]) -> list[list[Sequence[Update]]]:
    """Return what `grouped` gave by its chats, in order; all as one where an update belongs to no chat, or to a move between two."""
    if any(_joins_chats(update) for group in groups for update in group):
        return [list(groups)]
    chats: dict[int, list[Sequence[Update]]] = {}
    for group in groups:
        chats.setdefault(_chat(group[0]), []).append(group)
    return list(chats.values())


def _chat(update: Update) -> int:
    return update.effective_chat.id if update.effective_chat is not None else 0


def _joins_chats(update: Update) -> bool:
    message = message_in(update)
    is_move = message is not None and (message.migrate_to_chat_id is not None or message.migrate_from_chat_id is not None)
    return is_move or update.effective_chat is None
