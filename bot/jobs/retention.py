"""Letting go of messages that have been kept long enough, a few at a time."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

import structlog

from bot.domain.chat import ConversationKey, ConversationKind, audience_of, space_of
from bot.domain.past import CorpusKey
from bot.domain.privacy import MARGIN_DAYS, RETENTION_SETTING, Keeping, days_kept
from bot.errors import StoreError
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction

RETENTION = "retention"
"""The job's name where its days are claimed."""
EVERYWHERE = "all"
AT_ONCE = 200
"""Messages that go in one transaction: few, as a chat may wait for its end."""
PLACES_AT_ONCE = 100
_LOOKED_BACK = 50

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Retention:
    """Deletes old messages once a day in all processes together. Summaries and memories stay."""

    store: Store
    clock: Clock
    keeping: Keeping = field(default_factory=Keeping)
    rest_seconds: float = 0.02
    """Between two transactions."""
    _done: date | None = None

    async def ring(self) -> None:
        """Make room for what comes, and do what is due. What fails waits for the next ring, and the next day."""
        try:
            await self.store.tidy()
        except StoreError as problem:
            log.warning("tidying_cut_short", problem=str(problem))
        today = self.clock.now().date()
        if self._done == today:
            return
        self._done = today
        try:
            async with self.store.write() as tx:
                if not await tx.nights.claim(RETENTION, EVERYWHERE, today, self.clock.now()):
                    return
            removed = await self.remove_old()
            log.info("old_messages_removed", messages=removed)
        except Exception:
            log.exception("retention_cut_short")

    async def remove_old(self) -> int:
        """Delete all messages that have been kept long enough; return how many."""
        async with self.store.read() as tx:
            is_set = bool(await tx.settings.everywhere((RETENTION_SETTING,)))
        if not self.keeping.days and not is_set:
            return 0
        return sum([await self._remove_in(conversation) async for conversation in self._places()])

    async def _places(self) -> AsyncIterator[ConversationKey]:
        page: Sequence[ConversationKey] = ()
        while not page or len(page) == PLACES_AT_ONCE:
            async with self.store.read() as tx:
                page = await tx.expiry.conversations(after=str(page[-1]) if page else "", limit=PLACES_AT_ONCE)
            for conversation in page:
                yield conversation
            if not page:
                return

    async def _remove_in(self, conversation: ConversationKey) -> int:
        async with self.store.read() as tx:
            days = await self._days(tx, conversation)
        if not days:
            return 0
        before = self.clock.now() - timedelta(days=days)
        removed, after = 0, 0
        while True:
            async with self.store.write() as tx:
                found = await tx.expiry.expired(
                    conversation, before=before, unsummarised_before=before - timedelta(days=MARGIN_DAYS), after=after, limit=AT_ONCE
                )
                if found.rows:
                    await tx.corpora.remove(CorpusKey(conversation), found.rows)
                    removed += await tx.expiry.remove(conversation, found.rows)
            if found.after is None:
                return removed
            after = found.after
            await asyncio.sleep(self.rest_seconds)

    async def _days(self, tx: Transaction, conversation: ConversationKey) -> int:
        """Return for how long messages are kept there; 0 stands for ever."""
        said = await tx.messages.history(conversation, limit=_LOOKED_BACK)
        people = [message for message in said if not message.author.is_bot]
        kind, person_id = (people[-1].kind, people[-1].author.id) if people else (ConversationKind.GROUP, "")
        settings = await tx.settings.all(*space_of(audience_of(conversation, kind, person_id)))
        return days_kept(self.keeping, settings.get(RETENTION_SETTING, ""))
