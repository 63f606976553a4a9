"""Dates in questions: the days that "last Tuesday", "in May", 先週 or "am 3. Mai" stand for, seen from today. They lie in the past."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from bot.memory.dates import absolute_spans
from bot.memory.search.calendars import AMBIGUOUS_MONTHS, COUNTS, MONTHS, RELATIVE, UNITS, WEEKDAYS


@dataclass(frozen=True, slots=True)
class Period:
    """Days from first to last, and how to name them."""

    first: date
    last: date
    label: str


@dataclass(frozen=True, slots=True)
class Dated:
    """A question's period, when it names one, and what is left of the question."""

    period: Period | None
    rest: str


_Reading = Callable[[re.Match[str], date], Period | None]

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_WEEKDAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_BEFORE = r"(?:(?:in|im|on|am|en|el|le|since|seit|during|of|from|about|early|mid|late|by|last|this|letzten|desde|depuis|à)\s+)"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(COUNTS)})"
_UNIT = rf"(?P<unit>{'|'.join(sorted(UNITS, key=len, reverse=True))})"


def dated(text: str, today: date) -> Dated:
    """Return the first period that a question names, and the question without it; dates to come are none."""
    folded = text.casefold()
    for pattern, reading in _READINGS:
        for match in pattern.finditer(folded):
            period = reading(match, today)
            if period and period.first > today:
                return Dated(None, text)
            if period:
                # Folding can change a text's length; then the folded one is what is left.
                whole = text if len(text) == len(folded) else folded
                return Dated(period, f"{whole[: match.start()]} {whole[match.end() :]}".strip())
    return Dated(None, text)


def _on(match: re.Match[str], today: date) -> Period | None:
    """Read a day of a month, or a month, of a year or of the last one that had it."""
    parts = match.groupdict()
    month, day = MONTHS.get(parts["month"]) or int(parts["month"]), parts.get("day")
    if not 1 <= month <= 12:
        return None
    year = int(parts["year"]) if parts.get("year") else today.year - ((month, int(day or 1)) > (today.month, today.day))
    return _of_day(year, month, int(day)) if day else _of_month(year, month)


def _bare_month(match: re.Match[str], today: date) -> Period | None:
    """Read a month alone. Some are words of their own, and count behind a preposition only."""
    return None if match["month"] in AMBIGUOUS_MONTHS and not match["before"] else _on(match, today)


def _written(match: re.Match[str], _: date) -> Period | None:
    spans = absolute_spans(match[0])
    return _period(spans[0].first, spans[0].last) if spans else None


def _weekday(match: re.Match[str], today: date) -> Period | None:
    wanted = WEEKDAYS[match["weekday"]]
    if match["week"]:
        day = today - timedelta(days=today.weekday() + 7 - wanted)
    else:
        day = today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1)
    return _period(day, day)


def _ago(match: re.Match[str], today: date) -> Period | None:
    """Read so many days ago, give or take half of the unit that is counted in."""
    days = UNITS[match["unit"]]
    middle, slack = today - timedelta(days=_count(match) * days), days // 2
    return _period(middle - timedelta(days=slack), min(middle + timedelta(days=slack), today))


def _within(match: re.Match[str], today: date) -> Period | None:
    return _period(today - timedelta(days=_count(match) * UNITS[match["unit"]]), today)


def _count(match: re.Match[str]) -> int:
    count = match["count"] or "1"
    return COUNTS.get(count) or int(count)


def _relative(match: re.Match[str], today: date) -> Period | None:
    offset = next(offset for pattern, offset in RELATIVE if re.fullmatch(pattern, match[0]))
    monday = today - timedelta(days=today.weekday())
    month = today.replace(day=1) - timedelta(days=1)
    periods = {
        "this week": (monday, today),
        "last week": (monday - timedelta(days=7), monday - timedelta(days=1)),
        "last weekend": (monday - timedelta(days=2), monday - timedelta(days=1)),
        "this month": (today.replace(day=1), today),
        "last month": (month.replace(day=1), month),
        "this year": (date(today.year, 1, 1), today),
        "last year": (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
    }
    if isinstance(offset, str):
        return _period(*periods[offset])
    return _period(today + timedelta(days=offset), today + timedelta(days=offset))


def _of_day(year: int, month: int, day: int) -> Period | None:
    if not 1 <= day <= monthrange(year, month)[1]:
        return None
    return _period(date(year, month, day), date(year, month, day))


def _of_month(year: int, month: int) -> Period:
    return _period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _period(first: date, last: date) -> Period:
    return Period(first, last, _label(first, last))


def _label(first: date, last: date) -> str:
    if first == last:
        return f"on {first.day} {first:%B %Y}"
    if (first.day, last) == (1, date(first.year, first.month, monthrange(first.year, first.month)[1])):
        return f"in {first:%B %Y}"
    if (first, last) == (date(first.year, 1, 1), date(first.year, 12, 31)):
        return f"in {first.year}"
    return f"from {first.day} {first:%B %Y} to {last.day} {last:%B %Y}"


_READINGS: tuple[tuple[re.Pattern[str], _Reading], ...] = tuple(
    (re.compile(pattern), reading)
    for pattern, reading in (
        (r"(?<!\d)(?:19|20)\d\d-(?:1[0-2]|0?[1-9])(?:-(?:3[01]|[12]\d|0?[1-9]))?(?!\d)", _written),
        (r"(?:(?P<year>(?:19|20)\d\d)年)?(?P<month>1[0-2]|0?[1-9])月(?:(?P<day>3[01]|[12]\d|0?[1-9])[日号號])?(?!\d)", _on),
        (
            rf"{_BEFORE}?(?:the )?{_DAY}(?:st|nd|rd|th|\.|er)?\s+(?:of\s+|de\s+)?(?P<month>{_MONTH})\b(?:,?\s+(?:de\s+)?{_YEAR})?",
            _on,
        ),
        (rf"{_BEFORE}?\b(?P<month>{_MONTH})\.?\s+(?:the\s+)?{_DAY}(?:st|nd|rd|th)?\b(?!\d)(?:,?\s+{_YEAR})?", _on),
        (rf"{_BEFORE}?\b(?P<month>{_MONTH})\.?,?\s+(?:de\s+|of\s+)?{_YEAR}", _on),
        (rf"\b(?:in |over |during )?the (?:last|past) (?:{_COUNT} )?{_UNIT}\b", _within),
        (rf"(?<!\w){_COUNT}\s*{_UNIT}\s*(?:ago\b|前)", _ago),
        (rf"\b(?:vor|hace|il y a)\s+{_COUNT}\s+{_UNIT}\b", _ago),
        (rf"(?<!every )(?<!next )(?P<before>{_BEFORE})?\b(?P<month>{_MONTH})\b", _bare_month),
        (
            rf"(?<!every )(?:(?:on|last|this|am|letzten|el|le)\s+)?(?P<week>先週の?|上(?=周|星期))?(?P<weekday>{_WEEKDAY})(?![a-z])",
            _weekday,
        ),
        ("|".join(pattern for pattern, _ in RELATIVE), _relative),
        (r"(?<![\d.,])(?:(?:in|since|im jahr|en)\s+)?(?:19|20)\d\d(?![\d.,:])年?", _written),
    )
)
