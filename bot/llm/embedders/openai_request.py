"""What an endpoint is asked for vectors with, and what it turns out not to take."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.ports.tokens import TokenCounter

MOST_TOKENS = 8000
"""OpenAI's models take 8,191."""
FEWEST_TOKENS = 128
_CHARACTERS_A_TOKEN = 8
"""More than any language has."""
_REFUSALS = (400, 413, 422, 500)
_TOO_LONG = re.compile(r"too (?:long|large|many tokens)|context (?:length|size)|max(?:imum)?\b.*(?:token|length|input)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EmbeddingHabits:
    """What an endpoint takes."""

    takes_base64: bool = True
    """A quarter of the bytes, and no floats to parse while others wait."""
    takes_dimensions: bool = True
    most_tokens: int = MOST_TOKENS


def body_of(texts: Sequence[str], model: str, dimensions: int, habits: EmbeddingHabits) -> dict[str, object]:
    """Return the body of a request."""
    body: dict[str, object] = {"model": model, "input": list(texts), "encoding_format": "base64" if habits.takes_base64 else "float"}
    return body | ({"dimensions": dimensions} if dimensions and habits.takes_dimensions else {})


def learned(habits: EmbeddingHabits, status: int, complaint: str) -> EmbeddingHabits | None:
    """Return the habits after a refusal; None when asking in another way would not help."""
    if status not in _REFUSALS:
        return None
    if habits.takes_base64 and ("encoding_format" in complaint or "base64" in complaint):
        return replace(habits, takes_base64=False)
    if habits.takes_dimensions and ("dimensions" in complaint or "matryoshka" in complaint.lower()):
        return replace(habits, takes_dimensions=False)
    if _TOO_LONG.search(complaint) and habits.most_tokens > FEWEST_TOKENS:
        return replace(habits, most_tokens=max(habits.most_tokens // 2, FEWEST_TOKENS))
    return None


def cut_to(text: str, most_tokens: int, tokens: TokenCounter) -> str:
    """Return as much of the text as has at most so many tokens."""
    if len(text.encode()) <= most_tokens:  # no token is shorter than a byte
        return text
    longest = text[: most_tokens * _CHARACTERS_A_TOKEN]
    if tokens.count(longest) <= most_tokens:
        return longest
    fits, too_long = 0, len(longest)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if tokens.count(longest[:middle]) <= most_tokens:
            fits = middle
        else:
            too_long = middle
    return longest[:fits]
