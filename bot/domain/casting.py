"""Which personas speak in a place at what hours, as admins have set it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.night import find_zone, read_time
from bot.domain.speaking import QuietHours

HOURS = "persona.hours"
"""The setting with the shifts of a place: `22:00-06:00 Europe/Berlin rose; …`."""
MOST_SHIFTS = 8


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


def _shift(words: Sequence[str]) -> Shift | None:
    if len(words) != 3:
        return None
    times, zone_name, persona_id = words
    begin, _, end = times.partition("-")
    start, until, zone = read_time(begin), read_time(end), find_zone(zone_name)
    return Shift(QuietHours(start, until, zone), persona_id) if start and until and zone else None
