"""What becomes of each thing in a file that is brought in."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class Thing(StrEnum):
    """What a file holds."""

    MESSAGES = "messages"
    MEMORIES = "memories"
    RELATIONS = "relations"
    SETTINGS = "settings"
    PERSONAS = "choices of personas"
    DERIVED = "summaries, notes, names and what waited"


class Outcome(StrEnum):
    """Why it was taken or not."""

    ADDED = "added"
    KNOWN = "there already"
    ERASED = "it was erased, or may repeat what was"
    OPTED_OUT = "somebody in it opted out"
    OLDER = "older than what is there, so that its place in the history is taken"
    OTHERWISE = "the place is of another kind here, or set otherwise"
    FUTURE = "it is from the future"
    NO_PERSONA = "its persona is not here"
    COPY = "a shared copy; its owner can share it again"
    GATE = "no memory may say that"
    WAITS = "it reads like an order and now waits in /memory pending"
    NO_SOURCE = "the message that it rests on is not here"
    UNKNOWN = "no import may set that"
    DERIVED = "written anew from the messages"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How many of what came in, were there, or were refused and why."""

    counts: Counter[tuple[Thing, Outcome]] = field(default_factory=Counter)

    def note(self, thing: Thing, outcome: Outcome, count: int = 1) -> None:
        """Count something."""
        if count:
            self.counts[thing, outcome] += count
