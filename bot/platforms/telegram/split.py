"""Cuts a long part into messages that Telegram takes, each with its own balanced spans."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from bot.domain.message import Part, Span, StyleKind
from bot.domain.text import is_within_character, utf16_places

LONGEST_MESSAGE = 4096
MOST_SPANS = 100
_CODE = frozenset({StyleKind.CODE, StyleKind.CODE_BLOCK})
_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"(?<=[.!?…])\s|(?<=[。！？])"), re.compile(r"\s"))
_CODE_BREAKS = (re.compile(r"\n(?=\S)"), re.compile(r"\n"), re.compile(r"\s"))


def split(part: Part, *, limit: int = LONGEST_MESSAGE) -> list[Part]:
    """Return the part as parts of at most `limit` UTF-16 units, in order; blank text gives none.

    Cuts stand between paragraphs, else lines, sentences, words. A span that is cut ends with one part and goes on in the next.
    """
    parts = []
    text = _Measured(part.text)
    spans = sorted(part.spans, key=lambda span: span.offset)
    start = text.skip_blanks(0, spans)
    while start < len(part.text):
        end = text.cut_after(start, spans, limit)
        piece = text.piece(start, end, spans)
        if piece.text:
            parts.append(piece)
        start = text.skip_blanks(end, spans)
    return parts


class _Measured:
    """A text whose places can be told in characters and in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._units = utf16_places(text)

    def cut_after(self, start: int, spans: Sequence[Span], limit: int) -> int:
        """Return the best place to end a part that begins at `start`."""
        last = bisect_right(self._units, self._units[start] + limit) - 1
        crowded = [span.offset for span in spans if span.offset + span.length > self._units[start]][MOST_SPANS:]
        if crowded:
            last = min(last, max(self._character(crowded[0]), start + 1))
        if last >= len(self._text):
            return len(self._text)
        breaks = _CODE_BREAKS if self._in_code(last, spans) else _BREAKS
        earliest = start + max(1, (last - start) // 2)
        for pattern in breaks:
            found = [match.end() for match in pattern.finditer(self._text, earliest, last + 1) if match.start() <= last]
            if found:
                return found[-1]
        return self._between_characters(last, start)

    def piece(self, start: int, end: int, spans: Sequence[Span]) -> Part:
        """Return the text between two places with what is left of the spans there."""
        text = self._text[start:end].rstrip()
        first, behind = self._units[start], self._units[start + len(text)]
        kept = [_clipped(span, first, behind) for span in spans if span.offset < behind and span.offset + span.length > first]
        return Part(text, tuple(kept))

    def skip_blanks(self, place: int, spans: Sequence[Span]) -> int:
        """Return where the next part begins: blanks at its start would be lost; in code only whole blank lines go."""
        rest = self._text[place:]
        skipped = len(rest) - len(rest.lstrip("\n" if self._in_code(place, spans) else None))
        return place + skipped

    def _in_code(self, place: int, spans: Sequence[Span]) -> bool:
        unit = self._units[place]
        return any(span.kind in _CODE and span.offset < unit < span.offset + span.length for span in spans)

    def _character(self, unit: int) -> int:
        return bisect_right(self._units, unit) - 1

    def _between_characters(self, place: int, start: int) -> int:
        """Return a place at or before `place` that tears no accent or emoji apart."""
        at = place
        while at > start + 1 and is_within_character(self._text, at):
            at -= 1
        return at if at > start + 1 else place


def _clipped(span: Span, first: int, behind: int) -> Span:
    offset = max(span.offset, first)
    end = min(span.offset + span.length, behind)
    return replace(span, offset=offset - first, length=end - offset)
