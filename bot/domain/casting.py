"""Which personas speak in a place at what hours, and which are guests there, as admins have set it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.night import find_zone, read_time
from bot.domain.placement import set_around
from bot.domain.speaking import QuietHours

HOURS = "persona.hours"
"""The setting with the shifts of a place: `22:00-06:00 Europe/Berlin rose; …`."""
MOST_SHIFTS = 8
GUESTS = "persona.guests"
"""The setting with the ids of the personas that speak in a place beside the one whose place it is: `rose tom`."""
MOST_GUESTS = 8
_NOBODY = "-"
"""What a place has whose wider places have guests, and which has none."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A part of each day in which another persona speaks."""

    hours: QuietHours
    persona_id: str

    def __str__(self) -> str:
        """Return it as it is kept."""
        return f"{self.hours} {self.persona_id}"


def shifts_in(text: str) -> list[Shift]:
    """Return the shifts that a setting tells; what cannot be understood is left out."""
    return [shift for part in text.split(";") if (shift := _shift(part.split()))]


def shifts_text(shifts: Iterable[Shift]) -> str:
    """Return shifts as a setting tells them."""
    return "; ".join(map(str, shifts))


def on_duty(text: str, now: datetime) -> str:
    """Return the persona whose shift it is by a setting; of two the one that was set last. Empty where it is nobody's."""
    return next((shift.persona_id for shift in reversed(shifts_in(text)) if shift.hours.hold(now)), "")


def has_guests(settings: Mapping[str, str]) -> bool:
    """Say whether any place of a space has guests."""
    return any(name.startswith(GUESTS) for name in settings)


def guests_around(settings: Mapping[str, str], places: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the guests of the narrowest of the places that has a list of its own, in the order in which they came."""
    return tuple(each for each in set_around(settings, GUESTS, places).split() if each != _NOBODY)


def guests_text(guests: Sequence[str]) -> str:
    """Return guests as a setting tells them; that there are none is told, too."""
    return " ".join(guests) or _NOBODY


def _shift(words: Sequence[str]) -> Shift | None:
    if len(words) != 3:
        return None
    times, zone_name, persona_id = words
    begin, _, end = times.partition("-")
    start, until, zone = read_time(begin), read_time(end), find_zone(zone_name)
    return Shift(QuietHours(start, until, zone), persona_id) if start and until and zone else None
