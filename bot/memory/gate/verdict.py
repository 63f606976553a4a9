"""What the gate says about a text."""

from dataclasses import dataclass
from enum import StrEnum


class Ruling(StrEnum):
    """What becomes of a text."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    """It is kept nowhere."""
    WAIT = "wait"
    """It is kept apart, out of every prompt, until somebody with the right to decides."""


class Concern(StrEnum):
    """What speaks against a text."""

    NONE = "none"
    SECRET = "secret"  # noqa: S105 - the name of a reason
    """A key, a card number, a password."""
    UNSEEN = "unseen"
    """Characters that nobody sees, that turn the direction of writing, or that pose as others."""
    MARKUP = "markup"
    """What only the prompt's own frame holds: tags, role marks, calls of tools."""
    OVERRIDE = "override"
    """It tells the reader to drop its rules."""
    ORDER = "order"
    """It reads like an order to the persona, not like a fact."""
    OPAQUE = "opaque"
    """A long code that nobody can read."""
    OUTSIDE = "outside"
    """It rests on a file, a forwarded message or a bot's line, not on what people said themselves."""
    OTHERS = "others"
    """It changes what somebody else said of themselves."""
    WORDS_STAY = "words_stay"
    """It was forgotten, and the messages that told it stay."""
    LIMIT = "limit"
    """Its speaker has told enough for a day."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling with its reason, on the text as it may be kept."""

    ruling: Ruling
    text: str
    concern: Concern = Concern.NONE


def accept(text: str) -> Verdict:
    """Return that a text may be kept as it is."""
    return Verdict(Ruling.ACCEPT, text)


def refuse(text: str, concern: Concern) -> Verdict:
    """Return that a text is kept nowhere."""
    return Verdict(Ruling.REFUSE, text, concern)


def wait(text: str, concern: Concern) -> Verdict:
    """Return that a text waits for somebody who decides."""
    return Verdict(Ruling.WAIT, text, concern)
