"""What runs by night, and how it went."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import NAMESPACE_OID, uuid5

DREAM = "dream"
DECAY = "decay"
NIGHT = "night"
"""What is claimed for a local day once one of the two is done, or given up."""
NIGHT_TRIES = ("night, first try", "night, second try", "night, third try")
"""What is claimed before it is begun: a night whose process was killed is begun again, so many times in all."""


class JobState(StrEnum):
    """How a run ended."""

    DONE = "done"
    SKIPPED = "skipped"
    """There was no reason to run; nothing was changed."""
    REFUSED = "refused"
    """Its result was not fit to be kept; nothing was changed."""
    FAILED = "failed"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class JobRecord:
    """One run of a job over one subject, such as a dream of one persona about one audience."""

    run: str
    """A unique id."""
    job: str
    subject: str
    """What it was about, as one line."""
    state: JobState
    started_at: datetime
    seconds: float
    reason: str = ""
    """Why it was skipped, refused or failed."""
    counts: Mapping[str, int] | None = None
    """What it did: `promoted`, `forgotten` …"""
    diary: str = ""
    """A few lines in the persona's voice. Told to people, never a source of facts."""


def run_of_night(subject: str, day: date) -> str:
    """Return the id of the run that is the night of a day, however often it is begun."""
    return uuid5(NAMESPACE_OID, f"{subject} {day}").hex
