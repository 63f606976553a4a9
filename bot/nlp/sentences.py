"""A message's text, laid out for finding names: markup blanked, cut into sentences, every place still where it was."""

import re
from bisect import bisect_right
from collections.abc import Iterator

_LONGEST_SENTENCE = 300
_PIECE_CHARACTERS = 1000

_NO_PROSE = re.compile(
    r"```.*?(?:```|\Z)"  # code
    r"|`[^`\n]+`"
    r"|\b\w{1,20}://\S+|\bwww\.\S+|\b\S{1,64}@[\w-]+\.\w+"  # addresses
    r"|<a?:\w{1,32}:\d+>|<[@#][!&]?\d+>|<t:\d+(?::\w)?>|:\w{2,32}:"  # Discord's emoji, mentions, times
    r"|(?<!\w)[@#/][\w.-]+"  # mentions, tags, commands
    r"|^\[attached: .*?\]$"  # how a file is announced
    r"|^(?:>+|\#+|[-*+]|\d{1,3}[.)])\s"  # quotes, headings, lists
    r"|[*_~|]+",  # emphasis
    re.DOTALL | re.MULTILINE,
)
_SENTENCE_END = re.compile(r"(?<!\bMr)(?<!\bDr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)[.!?…]{1,8}[\"'”’)\]]{0,3}(?=\s)|[。！？]{1,8}[」』）]{0,3}|\n+")


def prose(text: str) -> str:
    """Return the text with blanks in place of all that is no prose: every character stays at its place."""
    return _NO_PROSE.sub(lambda match: re.sub(r"\S", " ", match[0]), text)


class Sentences:
    """Where the sentences of a text begin and end. A line's end ends one, too."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.bounds = list(_bounds(text))
        self._starts = [start for start, _ in self.bounds]

    def at(self, place: int) -> str:
        """Return the sentence around a place, on one line; of a very long one what is near."""
        start, end = self.bounds[max(0, bisect_right(self._starts, place) - 1)]
        if end - start <= _LONGEST_SENTENCE:
            return " ".join(self._text[start:end].split())
        first = max(start, min(place - _LONGEST_SENTENCE // 2, end - _LONGEST_SENTENCE))
        last = first + _LONGEST_SENTENCE
        near = " ".join(self._text[first:last].split())
        return f"{'…' if first > start else ''}{near}{'…' if last < end else ''}"

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Yield stretches of whole sentences, of about a thousand characters; a longer sentence is cut."""
        first = last = 0
        for start, end in self.bounds:
            if last > first and end - first > _PIECE_CHARACTERS:
                yield first, last
                first = start
            while end - first > _PIECE_CHARACTERS:
                yield first, first + _PIECE_CHARACTERS
                first += _PIECE_CHARACTERS
            last = end
        if last > first:
            yield first, last


def _bounds(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        inside = text[start:end]
        if inside.strip():
            yield start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())
        start = end
