"""Who may talk to the bot in a space, and where: allow and deny lists of people, roles and channels."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.chat import CONSOLE, ConversationKey
from bot.domain.message import Person

MOST_RULES = 100
"""Of one space."""
_SETTING = re.compile(r"access\.(allow|deny)\.(user|role|channel):(.{1,64})")
_MARK = re.compile(r"<(?P<kind>@!?|@&|#)(?P<id>\d{1,24})>")
_NAMED = re.compile(r"(?P<kind>user|person|role|channel|thread|topic)[\s:#]+(?P<id>-?[\w.-]{1,64})", re.IGNORECASE)


class Way(StrEnum):
    """What a rule does."""

    ALLOW = "allow"
    DENY = "deny"


class Whom(StrEnum):
    """What a rule names."""

    USER = "user"
    ROLE = "role"
    CHANNEL = "channel"
    """A channel with all its threads, or one thread or topic."""


@dataclass(frozen=True, slots=True, order=True)
class Named:
    """Somebody or some place, by its id on the platform."""

    kind: Whom
    id: str


@dataclass(frozen=True, slots=True, order=True)
class AccessRule:
    """One line of a list."""

    way: Way
    named: Named

    @property
    def setting(self) -> str:
        """Return the name of the setting that keeps it."""
        return f"access.{self.way}.{self.named.kind}:{self.named.id}"


class Verdict(StrEnum):
    """Whether somebody may talk to the bot, and if not, why."""

    WELCOME = "welcome"
    DENIED = "denied"
    NOT_LISTED = "not_listed"
    NOT_HERE = "not_here"
    """Not in this channel, whoever it is."""


def rules_in(settings: Mapping[str, str]) -> tuple[AccessRule, ...]:
    """Return the rules that a space's settings keep, in one order."""
    found = [match for name in settings if (match := _SETTING.fullmatch(name))]
    return tuple(sorted(AccessRule(Way(match[1]), Named(Whom(match[2]), match[3])) for match in found))


def verdict_on(person: Person, place: ConversationKey, rules: Iterable[AccessRule]) -> Verdict:
    """Return whether the rules of a space let a person talk to the bot there.

    Deny wins. Where people or roles are allowed, only those are; where channels are, only there. Somebody whose roles are not known
    has every role that is denied, and none that is allowed.
    """
    rules = tuple(rules)
    denied, allowed = ({rule.named for rule in rules if rule.way is way} for way in (Way.DENY, Way.ALLOW))
    here = {Named(Whom.CHANNEL, place_id) for place_id in (place.channel_id, place.thread_id) if place_id}
    who = {Named(Whom.USER, person.id), *(Named(Whom.ROLE, role) for role in person.roles or ())}
    if denied & who or (person.roles is None and any(named.kind is Whom.ROLE for named in denied)):
        return Verdict.DENIED
    places = {named for named in allowed if named.kind is Whom.CHANNEL}
    if denied & here or (places and not places & here):
        return Verdict.NOT_HERE
    people = allowed - places
    return Verdict.NOT_LISTED if people and not people & who else Verdict.WELCOME


def may_talk_in_private(person: Person, platform: str, people: frozenset[str]) -> bool:
    """Say whether the house lets a person talk to the bot in a direct chat. Whoever sits at the terminal always may."""
    return platform == CONSOLE or not people or bool({person.id, f"{platform}:{person.id}"} & people)


def read_named(typed: str, here: ConversationKey) -> Named | None:
    """Return whom somebody typed: a mention, `user 123`, `role 123`, `channel 123`, or `here`; None for anything else."""
    text = typed.strip()
    if text.casefold() == "here":
        return Named(Whom.CHANNEL, here.thread_id or here.channel_id)
    if mark := _MARK.fullmatch(text):
        kinds = {"@": Whom.USER, "@!": Whom.USER, "@&": Whom.ROLE, "#": Whom.CHANNEL}
        return Named(kinds[mark["kind"]], mark["id"])
    if named := _NAMED.fullmatch(text):
        words = {"user": Whom.USER, "person": Whom.USER, "role": Whom.ROLE}
        return Named(words.get(named["kind"].casefold(), Whom.CHANNEL), named["id"])
    return None
