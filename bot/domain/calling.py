"""Names in what people write: where one falls, and whether somebody is called by it."""

import re
from collections.abc import Collection

_TITLES = "(?:さん|ちゃん|くん|君|さま|様|先生)?"
_BEFORE = r"^(?:[^\W_]{1,12}[\s,，、،]+){0,2}"
"""At most two short words, such as "hey" or "good morning"."""
_AFTER = r"\s*(?:[,:，：、،!！?？…]|\.{2,}|$)"
_AT_THE_END = r"[,，、،]\s*"
_CLOSING = r"\s*[.!?…。！？]*$"


def first_place(text: str, words: Collection[str]) -> int:
    """Return where the first of the words falls in a text, on its own; -1 where none does."""
    said = text.casefold()
    return min((place for word in words if word and (place := _first_alone(word.casefold(), said)) >= 0), default=-1)


def says_any(text: str, words: Collection[str]) -> bool:
    """Say whether one of the words falls in a text, on its own."""
    return first_place(text, words) >= 0


def calls_any(text: str, names: Collection[str]) -> bool:
    """Say whether a text turns to somebody of these names: with an @, at its beginning, or behind a comma at its end."""
    said = " ".join(text.casefold().split())
    return any(_calls(said, re.escape(" ".join(name.casefold().split()))) for name in names if name.strip())


def _calls(said: str, name: str) -> bool:
    called = f"@{name}(?![a-z0-9])|{_BEFORE}{name}{_TITLES}{_AFTER}|{_AT_THE_END}{name}{_TITLES}{_CLOSING}"
    return re.search(called, said) is not None


def _first_alone(word: str, text: str) -> int:
    """Return where a word stands in a text with no Latin letter or digit right beside it; scripts without blanks have no such border."""
    start = text.find(word)
    while start >= 0:
        beside = text[start - 1 : start] + text[start + len(word) : start + len(word) + 1]
        if not any(char.isalnum() and char.isascii() for char in beside):
            return start
        start = text.find(word, start + 1)
    return -1
