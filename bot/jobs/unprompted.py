"""Messages that a persona writes although nobody said anything: only where admins let it, a few a day, and one until somebody answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

import structlog

from bot.domain.access import Verdict, may_talk_in_private, rules_in, verdict_on
from bot.domain.chat import ConversationKind, audience_of, space_of
from bot.domain.limits import HouseRules, in_force
from bot.domain.message import SPEAK_UP, IncomingMessage, MessageState, Role, StoredMessage
from bot.domain.persona import Persona, Personas
from bot.domain.placement import places_around
from bot.domain.speaking import PREFIX, QuietHours, Speaking, place_of_setting
from bot.errors import BotError
from bot.memory.speaker import speaker
from bot.memory.speaking import speaking_in
from bot.memory.spending import spent_until
from bot.ports.clock import Clock
from bot.ports.queue import TurnQueue
from bot.ports.store import Store, Transaction

UNPROMPTED = "unprompted"
"""The name of the setting, and the job's where its messages are claimed."""
ALIVE = timedelta(days=3)
"""A person must have written within this time."""
SILENT = timedelta(hours=4)
"""Nobody may have written for this time."""
EVERY = timedelta(minutes=30)
"""How often is looked."""
NIGHT = (time(23), time(8))
"""Hours in which nothing is written unasked where admins have set no quiet hours, by the persona's clock."""
ANSWERED_WITHIN = timedelta(hours=1)
"""A persona's line that came later than this after the one before it was not asked for."""
MOST_PLACES, LOOKED_BACK = 500, 20

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Unprompted:
    """Looks at each ring where a message may be written, and asks for it as for a turn; what it says is decided there."""

    store: Store
    personas: Personas
    clock: Clock
    queue: TurnQueue
    house: HouseRules = field(default_factory=HouseRules)
    _next: datetime | None = None

    async def ring(self) -> None:
        """Ask for the messages that are due. What cannot be looked at waits for another ring."""
        now = self.clock.now()
        if self._next is not None and now < self._next:
            return
        self._next = now + EVERY
        try:
            quiet = await self._quiet_places(now)
        except BotError:
            log.exception("unprompted_cut_short")
            return
        for last in quiet:
            try:
                await self._look_at(last, now)
            except BotError:
                log.exception("unprompted_left_out", platform=last.conversation.platform)

    async def _quiet_places(self, now: datetime) -> Sequence[StoredMessage]:
        """Return the last message of a person in each place that may be written to, as far as the spaces' settings and the clock tell."""
        async with self.store.read() as tx:
            wanted = await tx.settings.beginning(f"{PREFIX}{UNPROMPTED}")
            spaces = {space for space, settings in wanted.items() if any(value != "0" for value in settings.values())}
            platforms = {platform for platform, _ in spaces}
            heard = [message for platform in platforms for message in await tx.messages.last_heard(platform, limit=MOST_PLACES)]
        quiet = [said for said in heard if SILENT <= now - said.sent_at <= ALIVE and not said.conversation.discussion]
        return [said for said in quiet if _space(said) in spaces]

    async def _look_at(self, last: StoredMessage, now: datetime) -> None:
        place = last.conversation
        async with self.store.write() as tx:
            settings = await tx.settings.all(*_space(last))
            category = await tx.places.category(place)
            speaking, persona = speaking_in(settings, place, category), await speaker(tx, self.personas, place, at=now)
            if not speaking.unprompted or is_night(speaking, persona, now) or not await self._may_speak(tx, last, persona, settings):
                return
            around = place_of_setting(settings, UNPROMPTED, places_around(place, category)) or ""
            if not await self._claim(tx, last, around, speaking.unprompted, now.astimezone(persona.zone)):
                return
            asked = IncomingMessage(place, last.kind, "", last.author, SPEAK_UP, now, addressed_to_bot=False)
            await tx.messages.record(asked, MessageState.WAITING)
            await self.queue.ask(tx, place)
        log.info("unprompted_asked", persona=persona.id, platform=place.platform)

    async def _may_speak(self, tx: Transaction, last: StoredMessage, persona: Persona, settings: Mapping[str, str]) -> bool:
        """Say whether nothing keeps it from it: lists, budgets, wishes, something under way, or a message that nobody has answered."""
        place, now = last.conversation, self.clock.now()
        if not self._is_welcome(last, settings):
            return False
        if await tx.people.out(place.platform, [last.author.id]):
            return False
        limits = in_force(self.house.limits, settings)
        if await spent_until(tx, place, persona.id, limits=limits, house=self.house, now=now) is not None:
            return False
        if await tx.messages.waiting(place) or await tx.outbox.unsent(place):
            return False
        said = await tx.messages.history(place, limit=LOOKED_BACK)
        return bool(said) and now - said[-1].sent_at >= SILENT and not was_unprompted(said)

    def _is_welcome(self, last: StoredMessage, settings: Mapping[str, str]) -> bool:
        """Say whether no list keeps out who wrote last."""
        if last.kind is ConversationKind.DIRECT:
            return may_talk_in_private(last.author, last.conversation.platform, self.house.direct_people)
        return verdict_on(last.author, last.conversation, rules_in(settings)) is Verdict.WELCOME

    async def _claim(self, tx: Transaction, last: StoredMessage, around: str, most: int, local: datetime) -> bool:
        """Take one of the day's messages of the place that the setting holds for; False when all are taken."""
        platform, space = _space(last)
        for number in range(1, most + 1):
            if await tx.nights.claim(UNPROMPTED, f"{platform}:{space}@{around} {number}", local.date(), self.clock.now()):
                return True
        return False


def is_night(speaking: Speaking, persona: Persona, now: datetime) -> bool:
    """Say whether nothing is written unasked at this time of day."""
    return (speaking.quiet or QuietHours(*NIGHT, persona.zone)).hold(now)


def was_unprompted(said: Sequence[StoredMessage]) -> bool:
    """Say whether the last message of a conversation is the persona's own and came long after the one before."""
    if not said or said[-1].role is not Role.ASSISTANT:
        return False
    return len(said) == 1 or said[-1].sent_at - said[-2].sent_at > ANSWERED_WITHIN


def _space(said: StoredMessage) -> tuple[str, str]:
    return space_of(audience_of(said.conversation, said.kind, said.author.id))
