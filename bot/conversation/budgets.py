"""Whether there are tokens left to answer with."""

from datetime import datetime

from bot.domain.chat import ConversationKey
from bot.domain.limits import HouseRules, Limits, day_of, month_of
from bot.ports.store import Transaction


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
