"""Times of sending that a model writes before its answer because it has seen them before others, taken out."""

import re

LONGEST = 80
"""Characters in which such a time must end."""
_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_STAMP = re.compile(
    rf"\s*(?:\({_DAY}, \d{{4}}-\d\d-\d\d \d\d:\d\d(?::\d\d)?\)|\[sent (?:just now|[\w ,]{{1,50}} ago)\])", re.IGNORECASE | re.ASCII
)
_BEGINNING = re.compile(r"(?:\([a-z]{0,9}(?:,[-\d: ]*)?|\[(?:s(?:e(?:n(?:t(?:[\w ,]*)?)?)?)?)?)?", re.IGNORECASE | re.ASCII)


class StampFilter:
    """Feed it an answer in pieces; what it gives out in all is the same for any way of cutting it.

    Only what stands at the very beginning is taken out, however often: further on it is the answer's own.
    """

    def __init__(self) -> None:
        self._held = ""
        self._took = False
        self._is_past = False

    def feed(self, text: str) -> str:
        """Return what is decided of the answer with this piece."""
        if self._is_past:
            return text
        self._held += text
        while found := _STAMP.match(self._held):
            self._held, self._took = self._held[found.end() :], True
        start = self._held.lstrip()
        return "" if len(start) < LONGEST and _BEGINNING.fullmatch(start) else self.close()

    def close(self) -> str:
        """Return the rest, in which nothing is taken out any more."""
        held = self._held.lstrip() if self._took else self._held
        self._held, self._took, self._is_past = "", False, True
        return held
