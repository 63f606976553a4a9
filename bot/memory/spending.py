"""Whether there are tokens left: to answer with, and for what is done in the background."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.chat import Audience, AudienceKind, ConversationKey, ConversationKind, MemoryScope, audience_of, parse_key, space_of
from bot.domain.erasing import OneMemory
from bot.domain.limits import HouseRules, Limits, day_of, in_force, month_of
from bot.errors import TokensSpent
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction

TOKENS_SPENT = "tokens_spent"
"""Why a job is put off, in its record."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What the background may spend: no more than whoever answers."""

    store: Store
    clock: Clock
    house: HouseRules

    async def check(self, place: ConversationKey, persona_id: str, audience: Audience | None = None) -> None:
        """Raise TokensSpent where a budget of the space or the persona is used up."""
        async with self.store.read() as tx:
            settings = await tx.settings.all(*space_of(audience or await _audience_in(tx, place)))
            limits = in_force(self.house.limits, settings)
            until = await spent_until(tx, place, persona_id, limits=limits, house=self.house, now=self.clock.now())
        if until is not None:
            raise TokensSpent(until)


async def place_of_scope(tx: Transaction, scope: MemoryScope) -> ConversationKey | None:
    """Return the conversation in which what is done for a scope is counted; None when nothing of it is kept any more."""
    if scope.audience.kind is AudienceKind.CONVERSATION:
        return parse_key(scope.audience.id)
    return next(iter(await tx.erasures.conversations(OneMemory(scope, 0))), None)


async def _audience_in(tx: Transaction, place: ConversationKey) -> Audience:
    people = await tx.erasures.people_in_direct(place)
    return audience_of(place, ConversationKind.DIRECT if people else ConversationKind.GROUP, people[0] if people else "")


async def spent_until(
    tx: Transaction, place: ConversationKey, persona_id: str, *, limits: Limits, house: HouseRules, now: datetime
) -> datetime | None:
    """Return when there are tokens again, where a budget of the space or the persona is used up; None where none is.

    A budget that is not set asks the store nothing.
    """
    space = (place.platform, place.space_id)
    budgets: list[tuple[int, int, tuple[str, str] | None, str]] = [
        (limits.tokens_day, limits.tokens_month, space, ""),
        (limits.persona_day, limits.persona_month, space, persona_id),
        (house.persona_tokens_day, house.persona_tokens_month, None, persona_id),
    ]
    ends = []
    for a_day, a_month, where, who in budgets:
        for most, (since, end) in ((a_day, day_of(now)), (a_month, month_of(now))):
            if most and await tx.usage.spent(since, space=where, persona_id=who) >= most:
                ends.append(end)
    return max(ends, default=None)


def has_budgets(limits: Limits, house: HouseRules) -> bool:
    """Say whether any budget is set."""
    return any(
        (
            limits.tokens_day,
            limits.tokens_month,
            limits.persona_day,
            limits.persona_month,
            house.persona_tokens_day,
            house.persona_tokens_month,
        )
    )
