"""Breaking lines between words while they are still being written."""

import re
from collections.abc import Callable

from prompt_toolkit.utils import get_cwidth

_BIT = re.compile(r"\n|[^\S\n]+|[^\s\u1100-\uffdc]+|\S")
"""A line break, blanks, a word, or one character of a script without blanks."""
_WIDE = 2


class LineWrap:
    """Holds the last word back until it has ended, since only then is it known where it stands."""

    def __init__(self, width: Callable[[], int]) -> None:
        self._width = width
        self._column = 0
        self._blanks = ""
        self._word = ""

    @property
    def at_line_start(self) -> bool:
        """Say whether nothing stands in the line yet."""
        return not (self._column or self._blanks or self._word)

    def begin_line(self, text: str) -> None:
        """Take note of what somebody else has written at the start of the line."""
        self._column = get_cwidth(text)

    def feed(self, text: str) -> str:
        """Return what can be written now; a line break brings all that is left of its line."""
        return "".join(self._take(bit) for bit in _BIT.findall(text))

    def _take(self, bit: str) -> str:
        if bit == "\n":
            ended = self._end_word() + bit
            self._column, self._blanks = 0, ""
            return ended
        if bit.isspace():
            ended = self._end_word()
            self._blanks += bit
            return ended
        if get_cwidth(bit[-1]) == _WIDE:
            return self._end_word() + self._place(bit)
        self._word += bit
        return ""

    def _end_word(self) -> str:
        word, self._word = self._word, ""
        return self._place(word) if word else ""

    def _place(self, word: str) -> str:
        blanks, self._blanks = self._blanks, ""
        width, end = self._width(), self._column + get_cwidth(blanks) + get_cwidth(word)
        if end <= width or not self._column:
            self._column = end if end <= width else (end - 1) % width + 1
            return blanks + word
        self._column = 0
        return "\n" + self._place(word)
