"""Text as it can be kept, compared and shown."""

import unicodedata

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
