"""Telling people whose message waits long in line that their answer will come. What they are told becomes the answer."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from bot.conversation.notices import notices
from bot.conversation.windows import Deadlines
from bot.domain.chat import CONSOLE, ConversationKey
from bot.domain.load import InLine
from bot.domain.persona import Persona, Personas
from bot.errors import DeliveryDelayed, DeliveryRefused, StoreError
from bot.memory.past.lease import new_owner
from bot.memory.speaker import speaker
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store, Transaction
from bot.ports.trail import on_turn
from bot.ports.watch import NO_WATCH, Watch

LEASE = "line"
"""One process of all tells; its lease ends by itself when nobody renews it."""
LOOKS = 4
"""Looks at the line within the time after which people are told."""
MOST_AT_ONCE = 50
"""People who are told at one look: notices must not use up what platforms let the bot send."""
AGAIN = timedelta(minutes=30)
"""How often people in one conversation are told."""
SEND_SECONDS = 10.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where the line ended at a moment."""

    at: datetime
    row: int


@dataclass(slots=True)
class LineNotices:
    """Looks at the line from time to time. Time in line is counted from the look that first sees a message there, by our own clock."""

    store: Store
    platforms: Mapping[str, Platform]
    personas: Personas
    clock: Clock
    after: timedelta
    """How long a message waits before its author is told."""
    watch: Watch = NO_WATCH
    _marks: list[_Mark] = field(default_factory=list)
    _seen_upto: int = 0
    _told: Deadlines = field(default_factory=Deadlines)
    _owner: str = field(default_factory=new_owner)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await self.clock.sleep(self.after.total_seconds() / LOOKS)
            try:
                await self.look()
            except StoreError as problem:
                log.warning("line_not_looked_at", problem=type(problem).__name__)

    async def look(self) -> None:
        """Tell those who have waited long enough; nobody while another process does."""
        now = self.clock.now()
        async with self.store.write() as tx:
            leads = await tx.leases.take(LEASE, self._owner, lasts=self.after)
        if not leads:
            self._marks.clear()
            return
        for message in await self._who_waits(now):
            with on_turn(message.row):
                await self._tell(message, now)

    async def _who_waits(self, now: datetime) -> Sequence[InLine]:
        """Return what stood in line long enough ago and is there still; what is too much for one look comes with the next."""
        async with self.store.read() as tx:
            self._marks.append(_Mark(now, (await tx.line.backlog(most=1)).newest_row))
            ripe = [mark for mark in self._marks if now - mark.at >= self.after]
            if not ripe:
                return ()
            waiting = await tx.line.untouched(after=self._seen_upto, upto=ripe[-1].row, limit=MOST_AT_ONCE)
        if len(waiting) == MOST_AT_ONCE:
            self._seen_upto = waiting[-1].row
        else:
            self._seen_upto = max(self._seen_upto, ripe[-1].row)
            self._marks = [mark for mark in self._marks if mark not in ripe]
        return waiting

    async def _tell(self, message: InLine, now: datetime) -> None:
        place = message.target.conversation
        platform = self.platforms.get(place.platform)
        if platform is None or place.platform == CONSOLE or self._told.until(place, now) is not None:
            return
        async with self.store.read() as tx:
            if not await _is_in_line(tx, place):
                return
            persona = await speaker(tx, self.personas, place, at=now)
        shown = await self._send(platform, message, persona)
        if not shown:
            return
        self._told.hold(place, now + AGAIN)
        async with self.store.write() as tx:
            waits_still = await _is_in_line(tx, place)
            if waits_still:
                await tx.outbox.set_draft(place, shown)
        if not waits_still:
            await platform.withdraw(message.target, shown)

    async def _send(self, platform: Platform, message: InLine, persona: Persona) -> str:
        """Send the notice past all queues, and return its id; empty when the platform does not take it at once."""
        part = platform.parts(notices(persona.language).in_line)[0]
        try:
            async with asyncio.timeout(SEND_SECONDS):
                shown = await platform.send(message.target, part, nonce=f"line-{message.row}")
        except (DeliveryDelayed, DeliveryRefused, TimeoutError) as problem:
            log.info("line_notice_left_out", platform=platform.name, problem=type(problem).__name__)
            return ""
        log.info("line_notice_shown", platform=platform.name)
        self.watch.metrics.notice_shown(platform.name)
        return shown


async def _is_in_line(tx: Transaction, place: ConversationKey) -> bool:
    """Say whether something waits there and nothing is being written: no turn has begun with any of it, and no draft is shown."""
    waiting = await tx.messages.waiting(place)
    return bool(waiting) and not any(message.attempts for message in waiting) and not await tx.outbox.draft(place)
