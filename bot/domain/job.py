"""What runs by night, and how it went."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

DREAM = "dream"
DECAY = "decay"
NIGHT = "night"
"""What is claimed for a local day: one of the two."""


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
