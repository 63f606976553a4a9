"""Long answers as several messages that each stand on their own."""

from bisect import bisect_right
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from bot.domain.text import is_wide, is_within_character, storable, utf16_places
from bot.platforms.discord.markdown import Markup, Span, find_markup, with_closed_fence

LIMIT = 2000
"""UTF-16 units in one message."""

_SENTENCE_ENDS = ".!?…。！？"
_NOT_AT_LINE_START = "、。，．！？」』）】〉》…ー,.!?;:)]}"


class Border(IntEnum):
    """How good a place for a cut is."""

    NONE = 0
    WORD = 1
    SENTENCE = 2
    LINE = 3
    PARAGRAPH = 4


class _Wish(NamedTuple):
    """A kind of cut: at least this border, outside all markup or not, with at least this share of the room used."""

    border: Border
    outside: bool
    used: float


_WISHES = (
    _Wish(Border.PARAGRAPH, outside=True, used=0.5),
    _Wish(Border.LINE, outside=True, used=0.5),
    _Wish(Border.SENTENCE, outside=True, used=0.5),
    _Wish(Border.WORD, outside=True, used=0.5),
    _Wish(Border.LINE, outside=True, used=0.25),
    _Wish(Border.LINE, outside=False, used=0.0),
    _Wish(Border.WORD, outside=True, used=0.0),
    _Wish(Border.WORD, outside=False, used=0.0),
    _Wish(Border.NONE, outside=False, used=0.0),
)


def split(text: str, limit: int = LIMIT) -> Sequence[str]:
    """Return the text as messages of at most `limit` UTF-16 units, in order; blank text gives none.

    Cuts fall between paragraphs, lines, sentences or words, as far as there are any. Markup that a cut falls into is closed
    before it and opened again after it, a code fence with its language.
    """
    text = with_closed_fence(storable(text)).strip()
    return list(_Splitter(text, limit).messages()) if text else []


class _Splitter:
    """Cuts one text."""

    def __init__(self, text: str, limit: int) -> None:
        self._text = text
        self._limit = limit
        self._markup = find_markup(text)
        self._near = self._markup
        self._units = utf16_places(text)

    def messages(self) -> Sequence[str]:
        """Return the parts."""
        found: list[str] = []
        begin = 0
        while begin < len(self._text):
            self._near = self._markup_near(begin)
            head = self._head(begin)
            if len(head) + self._between(begin, len(self._text)) <= self._limit:
                found.append(head + self._text[begin:])
                break
            cut = self._best_cut(begin, len(head))
            found.append(head + self._body(begin, cut) + _closers(self._around(cut)))
            begin = self._after(cut)
        return [part for part in found if part.strip()]

    def _markup_near(self, begin: int) -> Markup:
        """Return the markup that a part which begins here can touch."""
        end = begin + self._limit + 1
        spans = tuple(span for span in self._markup.spans if span.start < end and begin <= span.end)
        return Markup(spans, tuple((start, stop) for start, stop in self._markup.atoms if start < end and begin <= stop))

    def _head(self, begin: int) -> str:
        """Return the markers to open again; none where they would leave hardly any room."""
        head = "".join(span.opener for span in self._around(begin))
        return head if len(head) <= self._limit // 4 else ""

    def _best_cut(self, begin: int, head: int) -> int:
        room = self._limit - head
        last = bisect_right(self._units, self._units[begin] + room) - 1
        fitting = [(cut, self._around(cut)) for cut in range(last, begin, -1) if not self._is_forbidden(cut)]
        fitting = [(cut, around) for cut, around in fitting if self._between(begin, cut) + len(_closers(around)) <= room]
        for wish in _WISHES:
            for cut, around in fitting:
                if self._between(begin, cut) < wish.used * room:
                    break
                if (not around or not wish.outside) and self._border(cut, around) >= wish.border and self._body(begin, cut).strip():
                    return cut
        return next((cut for cut in range(last, begin, -1) if self._between(begin, cut) + len(_closers(self._around(cut))) <= room), last)

    def _body(self, begin: int, cut: int) -> str:
        body = self._text[begin:cut]
        return body.rstrip("\n") if _in_block(self._around(cut)) else body.rstrip()

    def _after(self, cut: int) -> int:
        """Return where the next part begins: past the blanks, and past markup of which nothing is left."""
        text, around = self._text, self._around(cut)
        begin = len(text) - len(text[cut:].lstrip())
        if _in_block(around):
            begin = cut + 1 if text.startswith("\n", cut) else cut
        for span in around:
            if not text[begin : span.inner_end].strip():
                return self._after(span.end)
        return begin

    def _around(self, cut: int) -> Sequence[Span]:
        return [span for span in self._near.spans if span.inner_start <= cut < span.inner_end and span.start < cut]

    def _is_forbidden(self, cut: int) -> bool:
        text = self._text
        if is_within_character(text, cut):
            return True
        if any(start < cut < end for start, end in self._near.atoms):
            return True
        return any(span.start < cut <= span.inner_start or span.inner_end <= cut < span.end for span in self._near.spans)

    def _border(self, cut: int, around: Sequence[Span]) -> Border:
        text = self._text
        before, after = text[cut - 1], text[cut : cut + 1]
        if text.startswith("\n\n", cut):
            return Border.PARAGRAPH
        if after == "\n":
            return Border.LINE
        if _in_block(around):
            return Border.WORD if after.isspace() else Border.NONE
        if before in _SENTENCE_ENDS and (after.isspace() or before in "。！？"):
            return Border.SENTENCE if after not in _NOT_AT_LINE_START else Border.NONE
        if after.isspace() or (after and after not in _NOT_AT_LINE_START and (is_wide(before) or is_wide(after))):
            return Border.WORD
        return Border.NONE

    def _between(self, begin: int, end: int) -> int:
        return self._units[end] - self._units[begin]


def _closers(around: Sequence[Span]) -> str:
    return "".join(span.closer for span in reversed(around))


def _in_block(around: Sequence[Span]) -> bool:
    return any(span.is_block for span in around)
