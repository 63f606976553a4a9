"""Dates in facts: words such as `tomorrow` that mean another day tomorrow, and the days that they may stand for."""

import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_AROUND = (-8, 15)
_RELATIVE: tuple[tuple[str, tuple[int, int]], ...] = (
    (r"\bthe day after tomorrow\b|明後日|あさって", (2, 2)),
    (r"\bthe day before yesterday\b|一昨日|おととい", (-2, -2)),
    (r"\btomorrow(?: (?:morning|afternoon|evening|night))?\b|明日|あした", (1, 1)),
    (r"\byesterday(?: (?:morning|afternoon|evening))?\b|\blast night\b|昨日|きのう", (-1, -1)),
    (r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今日|今夜|今晩|今朝", (0, 0)),
    (r"\bnext week(?:end)?\b|来週", (1, 14)),
    (r"\bthis week(?:end)?\b|今週", (-7, 7)),
    (r"\blast week(?:end)?\b|先週", (-14, -1)),
    (r"\bnext month\b|来月", (1, 62)),
    (r"\bthis month\b|今月", (-31, 31)),
    (r"\blast month\b|先月", (-62, -1)),
    (r"\bnext year\b|来年", (1, 731)),
    (r"\bthis year\b|今年", (-366, 366)),
    (r"\blast year\b|去年|昨年", (-731, -1)),
    (rf"\blast {_WEEKDAY}\b", (-14, -1)),
    (rf"\bnext {_WEEKDAY}\b", (1, 15)),
    (rf"\bthis (?:coming )?{_WEEKDAY}\b|\bon {_WEEKDAY}\b", _AROUND),
)
_COUNTED = re.compile(
    r"\bin (?P<ahead>\d{1,3}|an?|one|two|three|four|five|six|seven|ten) (?P<unit>day|week|month|year)s?\b"
    r"|\b(?P<back>\d{1,3}|an?|one|two|three|four|five|six|seven|ten) (?P<past>day|week|month|year)s? ago\b"
)
_VALUES = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_UNITS = {"day": (1, 0), "week": (7, 3), "month": (30, 31), "year": (365, 366)}
"""Days, and how far off they may be."""
_ABSOLUTE = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d)(?:[-年](?P<month>1[0-2]|0?[1-9])(?!\d)(?:[-月](?P<day>3[01]|[12]\d|0?[1-9])(?!\d)日?|月?)|年)?"
)
_ANY = "|".join([*(pattern for pattern, _ in _RELATIVE), _COUNTED.pattern, _ABSOLUTE.pattern])
_ANY_DATE = re.compile(rf"(?:\b(?:on|in|since|until|at|of)\s+)?(?:{_ANY})(?:[にはの、,])?")


@dataclass(frozen=True, slots=True)
class Span:
    """Days from first to last."""

    first: date
    last: date

    def meets(self, other: "Span") -> bool:
        """Say whether the two have a day in common."""
        return self.first <= other.last and other.first <= self.last


def relative_spans(text: str, day: date) -> Sequence[Span]:
    """Return what the relative dates of a text, written on that day, may stand for; empty when it has none."""
    folded = text.casefold()
    offsets = [offset for pattern, offset in _RELATIVE if re.search(pattern, folded)]
    offsets += [_counted(match) for match in _COUNTED.finditer(folded)]
    return [Span(day + timedelta(days=low), day + timedelta(days=high)) for low, high in offsets]


def absolute_spans(text: str) -> Sequence[Span]:
    """Return the dates of a text that are written as 2026-05-04, 2026-05, 2026 or 2026年5月4日."""
    return [span for match in _ABSOLUTE.finditer(text) if (span := _span(match))]


def without_dates(text: str) -> str:
    """Return a text, in small letters, without its relative and absolute dates."""
    return _ANY_DATE.sub(" ", text.casefold())


def are_meant(new: Iterable[Span], meant: Sequence[Span]) -> bool:
    """Say whether each of the new dates is one that may be meant."""
    return all(any(span.meets(other) for other in meant) for span in new)


def _counted(match: re.Match[str]) -> tuple[int, int]:
    count, unit = match["ahead"] or match["back"], match["unit"] or match["past"]
    value = _VALUES.get(count) or int(count)
    days, slack = _UNITS[unit]
    offset = value * days if match["ahead"] else -value * days
    return offset - slack, offset + slack


def _span(match: re.Match[str]) -> Span | None:
    year, month, day = (int(part) if part else 0 for part in (match["year"], match["month"], match["day"]))
    if not month:
        return Span(date(year, 1, 1), date(year, 12, 31))
    last = monthrange(year, month)[1]
    if day > last:
        return None
    return Span(date(year, month, day or 1), date(year, month, day or last))
