"""When a persona speaks in a place and how its answers show, as admins have set it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from enum import StrEnum
from types import MappingProxyType
from zoneinfo import ZoneInfo

from bot.domain.night import find_zone, read_time
from bot.domain.placement import place_set, set_around

PREFIX = "speak."
"""How the names of these settings begin."""
OFF = "off"
MOST_WORDS, LONGEST_WORD = 20, 40
MOST_AN_HOUR, MOST_UNPROMPTED = 200, 10

_SWITCHES: Mapping[str, bool] = MappingProxyType({"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False})
_COMMAS = str.maketrans({"、": ",", "，": ","})
_DASHES = str.maketrans({"–": "-", "—": "-"})


class SpeakMode(StrEnum):
    """What a persona answers in a group. What is addressed to it, it answers in each mode."""

    MENTIONS = "mentions"
    """Nothing else but its own trigger words."""
    NAMES = "names"
    """Its name and keywords too."""
    EVERY = "every"
    """Every message."""
    CHOICE = "choice"
    """Whatever it has something to say to."""


class QuietFor(StrEnum):
    """What is not answered in quiet hours."""

    UNADDRESSED = "unaddressed"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class QuietHours:
    """A part of each day, by the clock of a place; over midnight where it ends before it begins."""

    start: time
    end: time
    zone: ZoneInfo

    def __str__(self) -> str:
        """Return them as they are typed: `23:00-08:00 Europe/Berlin`."""
        return f"{self.start:%H:%M}-{self.end:%H:%M} {self.zone.key}"

    def hold(self, now: datetime) -> bool:
        """Say whether it is within them. The clock on the wall counts, whatever is done to it."""
        clock = now.astimezone(self.zone).time()
        if self.start < self.end:
            return self.start <= clock < self.end
        return clock >= self.start or clock < self.end


@dataclass(frozen=True, slots=True)
class Speaking:
    """All that admins can set of when and how a persona speaks."""

    mode: SpeakMode = SpeakMode.MENTIONS
    words: tuple[str, ...] = ()
    """What it also listens to in the modes `names` and `choice`."""
    quiet: QuietHours | None = None
    quiet_for: QuietFor = QuietFor.UNADDRESSED
    limit: int = 30
    """Answers an hour in a conversation to what nobody addressed to it."""
    unprompted: int = 0
    """Messages a day that it may write although nobody said anything."""
    reacts: bool = False
    """Show by a reaction that a message is going to be answered."""
    streams: bool = True
    """Show answers grow."""
    long_as_file: bool = False
    """Send very long answers as a file."""

    def is_quiet(self, now: datetime) -> bool:
        """Say whether it is a quiet hour."""
        return self.quiet is not None and self.quiet.hold(now)


USUAL = Speaking()


@dataclass(frozen=True, slots=True)
class SpeakRule:
    """What one of these settings means, and what may be written, to end a sentence."""

    meaning: str
    allowed: str


_SWITCH = "on or off"
RULES: Mapping[str, SpeakRule] = MappingProxyType(
    {
        "mode": SpeakRule("what I answer in a group", f"one of {', '.join(SpeakMode)}"),
        "words": SpeakRule("words I also listen to", f"up to {MOST_WORDS} words or phrases with commas between them, or off"),
        "quiet": SpeakRule("hours in which I keep quiet", "two times and a time zone, such as 23:00-08:00 Europe/Berlin, or off"),
        "quiet_for": SpeakRule("what I leave unanswered in quiet hours", f"one of {', '.join(QuietFor)}"),
        "limit": SpeakRule("answers an hour to what nobody addressed to me", f"a whole number from 1 to {MOST_AN_HOUR}"),
        "unprompted": SpeakRule("messages a day that I may write unasked", f"a whole number from 0 to {MOST_UNPROMPTED}"),
        "reacts": SpeakRule("whether I show by a reaction that I am about to answer", _SWITCH),
        "streams": SpeakRule("whether people see my answers grow", _SWITCH),
        "long_as_file": SpeakRule("whether very long answers come as a file", _SWITCH),
    }
)
"""A rule for each field of Speaking; a test holds the two equal."""


def speaking_at(settings: Mapping[str, str], places: Sequence[str]) -> tuple[Speaking, Sequence[str]]:
    """Return what holds where these places stand around, the narrowest first, and the names whose values cannot be understood."""
    speaking, broken = USUAL, []
    for name in RULES:
        typed = set_around(settings, f"{PREFIX}{name}", places)
        try:
            speaking = with_value(speaking, name, typed) if typed else speaking
        except ValueError:
            broken.append(name)
    return speaking, broken


def place_of_setting(settings: Mapping[str, str], name: str, places: Sequence[str]) -> str | None:
    """Return the place that a value comes from; None when nobody has set it."""
    return place_set(settings, f"{PREFIX}{name}", places)


def with_value(speaking: Speaking, name: str, typed: str, *, zone: str = "") -> Speaking:
    """Return it with one value as it was typed. Raises ValueError, with what is allowed, for one that does not fit.

    `zone` is the time zone of quiet hours that name none; without it they must name one.
    """
    text = typed.strip()
    match name:
        case "mode":
            changed = replace(speaking, mode=SpeakMode(_one_of(name, text, SpeakMode)))
        case "quiet_for":
            changed = replace(speaking, quiet_for=QuietFor(_one_of(name, text, QuietFor)))
        case "words":
            changed = replace(speaking, words=_words(text))
        case "quiet":
            changed = replace(speaking, quiet=_quiet(text, zone))
        case "limit":
            changed = replace(speaking, limit=_number(name, text, 1, MOST_AN_HOUR))
        case "unprompted":
            changed = replace(speaking, unprompted=_number(name, text, 0, MOST_UNPROMPTED))
        case "reacts":
            changed = replace(speaking, reacts=_switch(name, text))
        case "streams":
            changed = replace(speaking, streams=_switch(name, text))
        case "long_as_file":
            changed = replace(speaking, long_as_file=_switch(name, text))
        case _:
            raise ValueError(f"There is no {name!r} to set; choose one of: {', '.join(RULES)}.")
    return changed


def written(speaking: Speaking, name: str) -> str:
    """Return one value as it is kept and typed."""
    value = getattr(speaking, name)
    match value:
        case bool():
            return "on" if value else OFF
        case tuple():
            return ", ".join(value) or OFF
        case None:
            return OFF
        case _:
            return str(value)


def _one_of(name: str, text: str, allowed: type[StrEnum]) -> str:
    word = text.casefold()
    if word not in list(allowed):
        raise _misfit(name, text)
    return word


def _switch(name: str, text: str) -> bool:
    if text.casefold() not in _SWITCHES:
        raise _misfit(name, text)
    return _SWITCHES[text.casefold()]


def _number(name: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and least <= int(text) <= most):
        raise _misfit(name, text)
    return int(text)


def _words(text: str) -> tuple[str, ...]:
    if text.casefold() == OFF:
        return ()
    typed = (" ".join(word.split()) for word in text.translate(_COMMAS).split(","))
    words = tuple(dict.fromkeys(word for word in typed if word))
    if not words or len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words):
        raise _misfit("words", text)
    return words


def _quiet(text: str, zone: str) -> QuietHours | None:
    if text.casefold() == OFF:
        return None
    hours, _, named = text.translate(_DASHES).replace(" - ", "-").partition(" ")
    start, end = (read_time(part) for part in [*hours.split("-"), "", ""][:2])
    place = find_zone(named.strip() or zone)
    if start is None or end is None or place is None or start == end:
        raise _misfit("quiet", text)
    return QuietHours(start, end, place)


def _misfit(name: str, text: str) -> ValueError:
    return ValueError(f"{name} is {RULES[name].allowed}, not {text!r}.")
