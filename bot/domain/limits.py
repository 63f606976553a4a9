"""How much a bot answers and spends: what may be set, and what holds in one space."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType

PREFIX = "limits."
"""How the names of a space's settings begin."""
_WHOLE = re.compile(r"\d{1,13}")
_GROUPED = re.compile(r"(?<=\d)[ _,.'](?=\d{3}(?:\D|$))")
"""As people write millions."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What holds in one space. 0 stands for no limit, and in `bots` for never."""

    person: int = 0
    """Answers a minute to one person."""
    conversation: int = 0
    server: int = 0
    tokens_day: int = 0
    """Tokens that all personas together may use."""
    tokens_month: int = 0
    persona_day: int = 0
    """Tokens that each persona may use there."""
    persona_month: int = 0
    bots: int = 0
    """Answers to one other bot in ten minutes; an hour of silence follows."""


GENEROUS = Limits(person=10, conversation=30, server=120, bots=5)
"""What nobody notices who only talks."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What whoever runs the bot has set for all spaces. No admin can widen it."""

    limits: Limits = Limits()
    persona_tokens_day: int = 0
    """Tokens that each persona may use everywhere together; 0 stands for no limit."""
    persona_tokens_month: int = 0
    direct_people: frozenset[str] = frozenset()
    """Who may talk to the bot in direct chats, as `platform:id` or by the id alone; empty for everybody."""


NO_HOUSE_RULES = HouseRules()
"""Nothing is limited."""


@dataclass(frozen=True, slots=True)
class LimitRule:
    """What one limit means, and the highest value that admins may set."""

    meaning: str
    most: int


LIMITS: Mapping[str, LimitRule] = MappingProxyType(
    {
        "person": LimitRule("answers a minute to one person", 1000),
        "conversation": LimitRule("answers a minute in one channel, thread or topic", 1000),
        "server": LimitRule("answers a minute in the whole server or group", 1000),
        "tokens_day": LimitRule("tokens that I may use here in a day", 10**12),
        "tokens_month": LimitRule("tokens that I may use here in a month", 10**12),
        "persona_day": LimitRule("tokens that each persona may use here in a day", 10**12),
        "persona_month": LimitRule("tokens that each persona may use here in a month", 10**12),
        "bots": LimitRule("answers to one other bot in ten minutes, an hour of silence after them; 0 for never", 100),
    }
)
"""A rule for each field of Limits; a test holds the two equal."""


def read_limit(name: str, typed: str) -> int:
    """Return a value that was typed. Raises ValueError, with what is allowed, for one that does not fit."""
    digits = _GROUPED.sub("", typed.strip())
    value = int(digits) if _WHOLE.fullmatch(digits) else -1
    if not 0 <= value <= LIMITS[name].most:
        raise ValueError(f"`{name}` is a whole number from 0 to {LIMITS[name].most:,}; 0 takes this server's own value back.")
    return value


def set_here(settings: Mapping[str, str]) -> Mapping[str, int]:
    """Return the limits that a space's admins have set, by name. What cannot be read counts as not set."""
    found = {name: settings.get(f"{PREFIX}{name}", "") for name in LIMITS}
    return {name: int(text) for name, text in found.items() if _WHOLE.fullmatch(text) and int(text)}


def in_force(house: Limits, settings: Mapping[str, str]) -> Limits:
    """Return what holds in a space: of what the house and the space's admins have set, the tighter value.

    Other bots are answered only where the admins ask for it.
    """
    here = set_here(settings)
    tight = {field.name: _tighter(getattr(house, field.name), here.get(field.name, 0)) for field in fields(Limits)}
    return Limits(**{**tight, "bots": min(house.bots, here.get("bots", 0))})


def day_of(now: datetime) -> tuple[date, datetime]:
    """Return the day of UTC that a day's budget counts from, and when the next one begins."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today.date(), today + timedelta(days=1)


def month_of(now: datetime) -> tuple[date, datetime]:
    """Return the first day of the month, and when the next month begins."""
    first = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return first.date(), (first + timedelta(days=31)).replace(day=1)


def _tighter(one: int, other: int) -> int:
    return min(value for value in (one, other) if value) if one or other else 0
