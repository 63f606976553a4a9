"""What the doctor writes down."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

_MOST_NAMES = 8


class Health(StrEnum):
    """How something is."""

    GOOD = "✓"
    UNUSED = "–"
    """Not set up, and nothing is amiss without it."""
    OFF = "!"
    """Worth setting up, or worth a look; the bot works without."""
    BROKEN = "✗"


@dataclass(frozen=True, slots=True)
class Check:
    """What was found, and how to mend it. An empty subject belongs to the check before."""

    health: Health
    subject: str
    finding: str
    remedy: str = ""


def listed(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
