"""Where a message is let in or not: lists, limits and budgets, and the one line that says why there is no answer."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from bot.conversation.gate import PRIVATE, Barriers, Decision, Reason, Room, decide
from bot.conversation.limit_notices import limit_notice
from bot.conversation.unasked import Unasked
from bot.conversation.windows import Deadlines, Windows
from bot.domain.access import Verdict, may_talk_in_private, rules_in, verdict_on
from bot.domain.chat import CONSOLE, ConversationKind, audience_of, space_of
from bot.domain.limits import HouseRules, Limits, in_force
from bot.domain.message import IncomingMessage, ReplyTarget
from bot.domain.persona import Persona, Personas
from bot.domain.speaking import SpeakMode
from bot.memory.company import addressee, company_in
from bot.memory.speaking import speaking_in
from bot.memory.spending import has_budgets, spent_until
from bot.memory.unremembered import post_unremembered
from bot.ports.clock import Clock
from bot.ports.store import Transaction

MINUTE = timedelta(minutes=1)
LOOP_WINDOW, COOL_DOWN = timedelta(minutes=10), timedelta(hours=1)
SERVICE_ANSWERS = 30
"""Answers in a loop's window to who writes as nobody in particular: people, most likely, but a channel may be a program's."""
RECENT = 10
"""Messages that tell whom a message is for that nobody addressed to the persona."""
LISTED_AGAIN = timedelta(days=1)
"""How often somebody is told that a list keeps them out."""

_STOPS: Mapping[Verdict, Reason] = {
    Verdict.DENIED: Reason.DENIED,
    Verdict.NOT_LISTED: Reason.NOT_LISTED,
    Verdict.NOT_HERE: Reason.NOT_HERE,
}
_OF_PLACE = frozenset({Reason.CONVERSATION_LIMIT, Reason.SERVER_LIMIT})
"""What is told once for all who write there."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Gauge:
    """One rate limit: what is counted, and how many a minute there may be."""

    reason: Reason
    key: Hashable
    most: int


class Threshold:
    """Decides about each message. What happened of late is known to this process alone, and forgotten when it ends."""

    def __init__(self, personas: Personas, clock: Clock, house: HouseRules) -> None:
        self._personas = personas
        self._clock = clock
        self._house = house
        self._answers = Windows(MINUTE)
        self._turns_with_bots = Windows(LOOP_WINDOW)
        self._cooling = Deadlines()
        self._told = Deadlines()
        self.unasked = Unasked(clock)

    async def decide(self, tx: Transaction, message: IncomingMessage) -> Decision:
        """Return whether the persona answers. Whoever sits at the terminal is never kept out."""
        settings = await tx.settings.all(*_space(message))
        room, persona = await self._room(tx, message, settings)
        wished = decide(message, room, Barriers(answers_bots=True))
        if not wished.speaks or message.conversation.platform == CONSOLE:
            return decide(message, room)
        limits = in_force(self._house.limits, settings)
        stop = self._list_stop(message, settings) or self._rate_stop(message, limits)
        if stop is None and has_budgets(limits, self._house):
            stop = await self._budget_stop(tx, message, limits, persona or await self._addressee(tx, message, settings))
        return decide(message, room, Barriers(limits.bots > 0, stop))

    async def settle(self, tx: Transaction, message: IncomingMessage, decision: Decision) -> bool:
        """Count a recorded message that is to be answered, or say why it is not; return whether there is something to send."""
        now = self._clock.now()
        if decision.reason is Reason.UNSURE and decision.speaks:
            # The persona may well keep silent, so nobody's answers are used up. Questions have a limit of their own.
            self.unasked.asked(message.conversation)
            return True
        if decision.speaks:
            self._count(message, now)
            return True
        return await self._explain(tx, message, decision, now)

    async def _room(self, tx: Transaction, message: IncomingMessage, settings: Mapping[str, str]) -> tuple[Room, Persona | None]:
        """Return what the gate is to know of a place; more is read where more is answered than what is addressed.

        With it comes who would answer, where that had to be looked up.
        """
        if message.kind is ConversationKind.DIRECT:
            return PRIVATE, None
        place = message.conversation
        speaking = speaking_in(settings, place, message.category_id)
        is_quiet = speaking.is_quiet(self._clock.now())
        if message.addressed_to_bot:
            return Room(speaking=speaking, is_quiet=is_quiet), None
        company = await company_in(tx, self._personas, place, at=self._clock.now(), settings=settings)
        persona = await addressee(tx, company, message)
        triggers = tuple(trigger for each in company.personas for trigger in each.triggers)
        guests = tuple(each.name for each in company.personas[1:])
        room = Room(triggers, company.host.name, speaking, is_quiet=is_quiet, guests=guests)
        if speaking.mode is SpeakMode.MENTIONS and not (triggers or guests):
            return room, persona
        recent = await tx.messages.history(place, limit=RECENT)
        full_until = await self.unasked.full_until(tx, place, speaking.limit)
        return replace(room, recent=recent, full_until=full_until, may_ask=self.unasked.may_ask(place)), persona

    def _count(self, message: IncomingMessage, now: datetime) -> None:
        for gauge in self._gauges(message, self._house.limits):
            self._answers.count(gauge.key, now)
        if _may_be_a_program(message):
            self._turns_with_bots.count(_pair(message), now)

    async def _explain(self, tx: Transaction, message: IncomingMessage, decision: Decision, now: datetime) -> bool:
        """Put one line a person, or a place, and window into the outbox; bots and bystanders get none."""
        if message.author.is_bot or not message.addressed_to_bot:
            return False
        key = _told_to(message, decision)
        if self._told.until(key, now) is not None:
            return False
        persona = await self._addressee(tx, message)
        text = limit_notice(decision, persona, now, in_private=message.kind is ConversationKind.DIRECT)
        if not text:
            return False
        target = ReplyTarget(message.conversation, message.kind, message.message_id)
        await post_unremembered(tx, target, persona, text, at=now)
        self._told.hold(key, max(decision.until, now + MINUTE) if decision.until else now + LISTED_AGAIN)
        log.info("limit_explained", platform=message.conversation.platform, reason=decision.reason)
        return True

    def _list_stop(self, message: IncomingMessage, settings: Mapping[str, str]) -> Decision | None:
        if message.kind is ConversationKind.DIRECT:
            welcome = may_talk_in_private(message.author, message.conversation.platform, self._house.direct_people)
            verdict = Verdict.WELCOME if welcome else Verdict.NOT_LISTED
        else:
            verdict = verdict_on(message.author, message.conversation, rules_in(settings))
        return Decision(speaks=False, reason=_STOPS[verdict]) if verdict in _STOPS else None

    def _rate_stop(self, message: IncomingMessage, limits: Limits) -> Decision | None:
        """Return the limit that ends last of those that are reached."""
        now = self._clock.now()
        reached = [(until, gauge.reason) for gauge in self._gauges(message, limits) if (until := self._full(gauge, now))]
        if until := self._loop_until(message, limits, now):
            reached.append((until, Reason.LIKE_A_LOOP))
        latest = max(reached, default=None)
        return Decision(speaks=False, reason=latest[1], until=latest[0]) if latest else None

    async def _budget_stop(self, tx: Transaction, message: IncomingMessage, limits: Limits, persona: Persona) -> Decision | None:
        until = await spent_until(tx, message.conversation, persona.id, limits=limits, house=self._house, now=self._clock.now())
        return Decision(speaks=False, reason=Reason.TOKENS_SPENT, until=until) if until else None

    def _gauges(self, message: IncomingMessage, limits: Limits) -> list[_Gauge]:
        """Return what is counted. A space's own limit counts what was said there alone, so that it tells nothing of other rooms."""
        place, author = message.conversation, message.author.id
        space = (place.platform, place.space_id)
        return [
            _Gauge(Reason.PERSON_LIMIT, ("everywhere", place.platform, author), self._house.limits.person),
            _Gauge(Reason.PERSON_LIMIT, ("person", *space, author), limits.person),
            _Gauge(Reason.CONVERSATION_LIMIT, ("conversation", *space, place.channel_id, place.thread_id), limits.conversation),
            _Gauge(Reason.SERVER_LIMIT, ("server", *space), limits.server),
        ]

    def _full(self, gauge: _Gauge, now: datetime) -> datetime | None:
        return self._answers.full_until(gauge.key, gauge.most, now)

    def _loop_until(self, message: IncomingMessage, limits: Limits, now: datetime) -> datetime | None:
        """Return when somebody who may be a program is answered again, where they have had their answers."""
        if not _may_be_a_program(message):
            return None
        most, pair = limits.bots if message.author.is_bot else SERVICE_ANSWERS, _pair(message)
        if self._cooling.until(pair, now) is None and self._turns_with_bots.full_until(pair, most, now) is not None:
            self._cooling.hold(pair, now + COOL_DOWN)
            log.warning("loop_ended", platform=message.conversation.platform, bot=message.author.id)
        return self._cooling.until(pair, now)

    async def _addressee(self, tx: Transaction, message: IncomingMessage, settings: Mapping[str, str] | None = None) -> Persona:
        """Return who answers there. What is set for a person's direct chats says nothing about it."""
        known = settings if message.kind is ConversationKind.GROUP else None
        company = await company_in(tx, self._personas, message.conversation, at=self._clock.now(), settings=known)
        return await addressee(tx, company, message)


def _space(message: IncomingMessage) -> tuple[str, str]:
    return space_of(audience_of(message.conversation, message.kind, message.author.id))


def _may_be_a_program(message: IncomingMessage) -> bool:
    return message.author.is_bot or message.author.is_service


def _pair(message: IncomingMessage) -> Hashable:
    return message.conversation.platform, message.author.id


def _told_to(message: IncomingMessage, decision: Decision) -> Hashable:
    place = message.conversation
    if decision.reason in _OF_PLACE:
        return decision.reason, place.platform, place.channel_id, place.thread_id
    if decision.reason is Reason.PERSON_LIMIT:
        return decision.reason, place.platform, message.author.id
    return decision.reason, place.platform, place.space_id, message.author.id
