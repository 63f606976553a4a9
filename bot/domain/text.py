"""Text as it can be kept, compared, shown and cut."""

import unicodedata
from collections.abc import Sequence
from itertools import accumulate

_JOINER = "\N{ZERO WIDTH JOINER}"
_CLOSING = ".!?,;:\u3002\u3001\uff61\u060c\u061b\u061f\u06d4\u0964\u0965"
"""What ends a sentence or a part of it, in Latin, Japanese and Chinese, Arabic and Urdu, Hindi."""


def storable(text: str) -> str:
    """Return the text without what no database takes: NUL characters and halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def text_key(text: str) -> str:
    """Return what two texts have in common that differ in case, width, blanks and closing punctuation at most."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words = " ".join(folded.split())
    return words.rstrip(f"{_CLOSING} ") or words


def one_line(text: str, limit: int) -> str:
    """Return the text on one line, cut to `limit` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 units, which is how chat platforms count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_places(text: str) -> Sequence[int]:
    """Return how many UTF-16 units stand before each character, and, last, how many there are."""
    return list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))


def is_wide(char: str) -> bool:
    """Say whether a character takes two columns, as those of Chinese and Japanese do."""
    return unicodedata.east_asian_width(char) in "WF"


def is_within_character(text: str, place: int) -> bool:
    """Say whether a cut there would tear apart what is seen as one: a letter and its accent, an emoji and its parts."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    return _JOINER in (before, after) or unicodedata.category(after).startswith("M") or "\U0001f3fb" <= after <= "\U0001f3ff"
