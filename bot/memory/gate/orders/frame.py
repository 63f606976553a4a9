"""What the patterns of all languages are made of."""

import re
from dataclasses import dataclass

CLAUSE = r"(?:^|[.!?;:\n\"(\[>*•|。！？：、，,]\s*|(?<!\w)'|\s[-–—]\s*|\b(?:then|please|bitte|por favor,?|s'il te plait,?)\s+)"
"""Where a clause begins."""
_PLAIN = re.compile(r"[\w '-]*\w")
_BETWEEN = re.compile(r"  +|\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Orders:
    """How one language words orders."""

    overrides: re.Pattern[str]
    """Drop your rules: nothing that says so is ever a fact."""
    orders: re.Pattern[str]
    """Say this, always do that."""
    naming: re.Pattern[str] | None = None
    """Call me Ana: the one order that is a fact. It is taken out before the text is looked at, with what it begins with."""


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one pattern for all."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.MULTILINE)


def one_of(wordings: str) -> str:
    """Return a pattern for any of the wordings: a text with two blanks, or a line's end, between two. More letters may follow."""
    return f"(?:{'|'.join(_parted(wordings))})"


def words_of(wordings: str, *others: str) -> str:
    """Return a pattern for any of the wordings, plain ones as whole words, or of the other patterns."""
    words = [rf"{word}\b" if _PLAIN.fullmatch(word) else word for word in _parted(wordings)]
    return f"(?:{'|'.join([*words, *others])})"


def _parted(wordings: str) -> list[str]:
    return [word for word in _BETWEEN.split(wordings.strip()) if word]
