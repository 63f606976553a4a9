"""Attached files that are read as text, by the same rule on every platform."""

import re

_BIGGEST = 8 * 1024 * 1024
_MOST_CHARACTERS = 200_000
_TEXT = re.compile(r"text/|application/(?:[\w.+-]*\+)?(?:json|xml|x-yaml|yaml|toml|javascript)\b")


def is_text_file(media_type: str, size_bytes: int) -> bool:
    """Say whether a file of that media type is text, and small enough to be fetched."""
    return size_bytes <= _BIGGEST and _TEXT.match(media_type) is not None


def text_of(content: bytes | bytearray) -> str:
    """Return what a text file says, of a very long one the beginning. Bytes that are no UTF-8 show as �."""
    return content.decode("utf-8-sig", "replace")[:_MOST_CHARACTERS]
