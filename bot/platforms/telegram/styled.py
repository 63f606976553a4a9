"""Builds a text together with its styled spans."""

from dataclasses import dataclass, field

from bot.domain.message import Part, Span, StyleKind
from bot.domain.text import utf16_length


@dataclass(slots=True)
class _Open:
    kind: StyleKind
    offset: int
    detail: str


@dataclass(slots=True)
class StyledText:
    """A text that grows; styles are opened and closed around what is written."""

    _text: list[str] = field(default_factory=list)
    _length: int = 0
    _breaks: int = 0
    _open: list[_Open] = field(default_factory=list)
    _spans: list[Span] = field(default_factory=list)

    def write(self, text: str) -> None:
        """Append text, after the line breaks that are due."""
        if not text:
            return
        self._flush_breaks()
        self._append(text)

    def write_code(self, kind: StyleKind, text: str, detail: str = "") -> None:
        """Append code. Telegram shows no other style in code, so the open ones stop around it; quotes go on.

        In a link it is plain text, for no code can be one.
        """
        if self._is_open(StyleKind.LINK):
            self.write(text)
            return
        self._flush_breaks()
        suspended = [one for one in self._open if one.kind is not StyleKind.QUOTE]
        for one in suspended:
            self._keep(one)
        offset = self._length
        self._append(text)
        self._keep(_Open(kind, offset, detail))
        for one in suspended:
            one.offset = self._length

    def break_lines(self, count: int) -> None:
        """Let what comes next start after at least `count` line breaks; at the very start there are none."""
        self._breaks = max(self._breaks, count)

    def open(self, kind: StyleKind, detail: str = "") -> None:
        """Begin a style at what is written next; one inside its own kind changes nothing."""
        self._flush_breaks()
        self._open.append(_Open(kind, self._length, detail))

    def close(self, kind: StyleKind) -> None:
        """End the style of this kind that was begun last."""
        last = next(one for one in reversed(self._open) if one.kind is kind)
        self._open.remove(last)
        if not self._is_open(kind):
            self._keep(last)

    def _is_open(self, kind: StyleKind) -> bool:
        return any(one.kind is kind for one in self._open)

    def part(self) -> Part:
        """Return all that was written as one part, however long."""
        spans = sorted(self._spans, key=lambda span: (span.offset, -span.length))
        return Part("".join(self._text), tuple(spans))

    def _keep(self, opened: _Open) -> None:
        length = self._length - opened.offset
        if length > 0:
            self._spans.append(Span(opened.kind, opened.offset, length, opened.detail))

    def _flush_breaks(self) -> None:
        if self._breaks and self._length:
            self._append("\n" * self._breaks)
        self._breaks = 0

    def _append(self, text: str) -> None:
        self._text.append(text)
        self._length += utf16_length(text)
