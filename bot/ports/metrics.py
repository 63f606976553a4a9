"""What is counted for whoever runs the bot. The core counts through this port and knows no monitor."""

from enum import StrEnum
from typing import Protocol

from bot.domain.model import Usage


class Outcome(StrEnum):
    """What became of a turn."""

    ANSWERED = "answered"
    SILENT = "silent"
    """The persona chose to say nothing."""
    FAILED = "failed"
    """The model gave no answer, and people got a notice."""
    GIVEN_UP = "given_up"
    """It failed again and again, and people got a notice."""


class Stage(StrEnum):
    """What of an answer people see."""

    VISIBLE = "visible"
    """Its first words."""
    SENT = "sent"
    """All of it."""


class Retry(StrEnum):
    """What was done once more."""

    TURN = "turn"


class Metrics(Protocol):
    """Takes counts. None of its methods raises or waits, and each takes a few microseconds at most.

    Names are kinds and names of ours, of which there are few: a platform, a model, a job. Never an id of a person or a place.
    """

    def received(self, platform: str, *, speaks: bool) -> None:
        """Count a message that was recorded, and whether it is to be answered."""
        ...

    def turn_ended(self, platform: str, outcome: Outcome) -> None:
        """Count a turn whose outcome is committed."""
        ...

    def reached(self, platform: str, stage: Stage, seconds: float) -> None:
        """Note how long after its message an answer was seen."""
        ...

    def model_answered(self, model: str, seconds: float) -> None:
        """Note how long a model took, from the request to the end of its answer."""
        ...

    def model_failed(self, model: str, trouble: str) -> None:
        """Count an answer that did not come."""
        ...

    def tokens_used(self, usage: Usage) -> None:
        """Count tokens."""
        ...

    def retried(self, what: Retry) -> None:
        """Count something that is done once more."""
        ...

    def delivery_waited(self, platform: str, seconds: float) -> None:
        """Note that a platform had a reply wait, by its rate limit or because it was out of order."""
        ...

    def notice_shown(self, platform: str) -> None:
        """Count somebody who was told that their message waits in line."""
        ...

    def job_ended(self, job: str, seconds: float, *, failed: bool) -> None:
        """Note a run of a job, by night or in the background."""
        ...

    def loop_lagged(self, seconds: float) -> None:
        """Note by how much the event loop was late."""
        ...


class NoMetrics:
    """Counts nothing."""

    def received(self, platform: str, *, speaks: bool) -> None:
        """Count nothing."""

    def turn_ended(self, platform: str, outcome: Outcome) -> None:
        """Count nothing."""

    def reached(self, platform: str, stage: Stage, seconds: float) -> None:
        """Note nothing."""

    def model_answered(self, model: str, seconds: float) -> None:
        """Note nothing."""

    def model_failed(self, model: str, trouble: str) -> None:
        """Count nothing."""

    def tokens_used(self, usage: Usage) -> None:
        """Count nothing."""

    def retried(self, what: Retry) -> None:
        """Count nothing."""

    def delivery_waited(self, platform: str, seconds: float) -> None:
        """Note nothing."""

    def notice_shown(self, platform: str) -> None:
        """Count nothing."""

    def job_ended(self, job: str, seconds: float, *, failed: bool) -> None:
        """Note nothing."""

    def loop_lagged(self, seconds: float) -> None:
        """Note nothing."""


NO_METRICS: Metrics = NoMetrics()
