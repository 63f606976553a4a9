"""When a night comes: once a local day, at one time of the clock, through all changes of the clocks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.domain.chat import Audience

TIME_SETTING = "dream.time"
ZONE_SETTING = "dream.zone"
SPACE_ZONE = "time_zone"
"""The time zone of a whole space, which holds where none is set for the night alone."""
SCHEDULE_SETTINGS = (TIME_SETTING, ZONE_SETTING, SPACE_ZONE)
USUAL_TIME = time(3)

_DAY = timedelta(days=1)
_TIME = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm)?")


@dataclass(frozen=True, slots=True)
class NightSchedule:
    """The time of the clock at which a night's work is due, and whose clock that is."""

    at: time
    zone: ZoneInfo

    def __str__(self) -> str:
        """Return it as people read it: `03:00 (Europe/Berlin)`."""
        return f"{self.at:%H:%M} ({self.zone.key})"


def diary_setting(audience: Audience) -> str:
    """Return the name of the setting that says in which conversation the diary of an audience's dreams is posted."""
    return f"dream.diary {audience}"


def schedule_of(settings: Mapping[str, str], *, zone: str) -> NightSchedule:
    """Return the schedule that the settings ask for; what is not set or broken there is 03:00, and the given zone."""
    at = read_time(settings.get(TIME_SETTING, ""))
    set_there = (find_zone(settings.get(name, "")) for name in (ZONE_SETTING, SPACE_ZONE))
    return NightSchedule(USUAL_TIME if at is None else at, next(filter(None, set_there), None) or ZoneInfo(zone))


def due(now: datetime, schedule: NightSchedule, last_day: date | None) -> date | None:
    """Return the local day whose night has come, unless it or a later one is done already.

    However long nothing ran, this is the last such day alone. A time that the clocks skip comes as much later as they jump; of one
    that they repeat the first counts.
    """
    day = now.astimezone(schedule.zone).date() + _DAY
    while night_of(day, schedule) > now:
        day -= _DAY
    return day if last_day is None or day > last_day else None


def next_night(now: datetime, schedule: NightSchedule, last_day: date | None) -> datetime:
    """Return when the next night comes, in UTC; one that is due already does not count."""
    day = now.astimezone(schedule.zone).date() - _DAY
    while night_of(day, schedule) <= now or (last_day is not None and day <= last_day):
        day += _DAY
    return night_of(day, schedule)


def night_of(day: date, schedule: NightSchedule) -> datetime:
    """Return when a local day's night comes, in UTC."""
    return datetime.combine(day, schedule.at, schedule.zone).astimezone(UTC)


def read_time(text: str) -> time | None:
    """Return a time of day as people type it, such as 3:00, 03.00 or 3 am; None for anything else."""
    match = _TIME.fullmatch(text.strip().casefold())
    if match is None:
        return None
    hour, half = int(match[1]), match[3]
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0) if 1 <= hour <= 12 else -1
    minute = int(match[2] or 0)
    return time(hour, minute) if 0 <= hour < 24 and minute < 60 else None


def find_zone(name: str) -> ZoneInfo | None:
    """Return the time zone of that IANA name; None when there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
