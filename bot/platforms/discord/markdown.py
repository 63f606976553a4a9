"""Where markup stands in Discord's Markdown, so that a cut can close and reopen it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"```(?:(?P<language>[\w+#.-]*)\n)?(?P<code>.*?)(?P<end>```|\Z)", re.DOTALL)
UNBREAKABLE = re.compile(
    r"\[[^\[\]\n]*\]\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)"  # a link
    r"|<(?:@[!&]?\d+|#\d+|a?:\w+:\d+|t:-?\d+(?::\w)?|/[^<>\n]+:\d+|https?://[^<>\s]+)>"  # a mention, emoji, time or address
)
LINE_PREFIX = re.compile(r"^(?:>|#{1,3}|-#) (?=\S)", re.MULTILINE)
QUOTED_TO_THE_END = re.compile(r"^>>> (?=\S)", re.MULTILINE)
TICKS = re.compile(r"`+")
MARKERS = ("***", "**", "*", "___", "__", "_", "~~", "||")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of markup. What stands between `inner_start` and `inner_end` is shown; the rest are its markers."""

    start: int
    inner_start: int
    inner_end: int
    end: int
    opener: str
    closer: str
    is_block: bool = False
    """Code between fences, of which every blank counts."""


@dataclass(frozen=True, slots=True)
class Markup:
    """All markup of a text: spans that may be closed and reopened, and stretches that must stay whole."""

    spans: tuple[Span, ...]
    atoms: tuple[tuple[int, int], ...]


def find_markup(text: str) -> Markup:
    """Return the markup of a text. What does not close is no markup, but for a code fence, which then runs to the end."""
    inline, blocks, begin = _InlineMarkup(text), [], 0
    for fence in FENCE.finditer(text):
        inline.read(begin, fence.start())
        blocks.append(_fence_span(fence))
        begin = fence.end()
    inline.read(begin, len(text))
    lines = [span for span in _line_spans(text) if not any(block.start <= span.start < block.end for block in blocks)]
    spans = sorted([*inline.spans, *blocks, *lines], key=lambda span: (span.start, -span.end))
    return Markup(tuple(spans), tuple(inline.atoms))


def with_closed_fence(text: str) -> str:
    """Return the text with its last code fence closed."""
    for fence in FENCE.finditer(text):
        if not fence["end"]:
            return text.rstrip() + "\n```"
    return text


def _fence_span(fence: re.Match[str]) -> Span:
    language = fence["language"] or ""
    inner_start, inner_end = fence.span("code")
    if fence["code"].endswith("\n"):
        inner_end -= 1
    return Span(fence.start(), inner_start, max(inner_start, inner_end), fence.end(), f"```{language}\n", "\n```", is_block=True)


def _line_spans(text: str) -> Iterator[Span]:
    for prefix in LINE_PREFIX.finditer(text):
        line_end = text.find("\n", prefix.end())
        end = len(text) if line_end < 0 else line_end
        yield Span(prefix.start(), prefix.end(), end, end, prefix[0], "")
    if quoted := QUOTED_TO_THE_END.search(text):
        yield Span(quoted.start(), quoted.end(), len(text), len(text), quoted[0], "")


class _InlineMarkup:
    """What stands in those stretches of a text where no fence is."""

    def __init__(self, text: str) -> None:
        self.spans: list[Span] = []
        self.atoms: list[tuple[int, int]] = []
        self._text = text
        self._opened: list[tuple[str, int]] = []

    def read(self, begin: int, end: int) -> None:
        """Add what stands between two places; what is open at the end is no markup."""
        at = begin
        while at < end:
            at = self._next(at, end)
        self._opened.clear()

    def _next(self, at: int, end: int) -> int:
        """Take what stands at a place and return where to go on."""
        text = self._text
        if text[at] == "\\":
            return self._take_atom(at, min(at + 2, end))
        if atom := UNBREAKABLE.match(text, at, end):
            return self._take_atom(*atom.span())
        if ticks := TICKS.match(text, at, end):
            return self._take_code(ticks, end)
        if marker := next((known for known in MARKERS if text.startswith(known, at, end)), ""):
            self._take_marker(marker, at)
            return at + len(marker)
        return at + 1

    def _take_atom(self, start: int, end: int) -> int:
        self.atoms.append((start, end))
        return end

    def _take_code(self, ticks: re.Match[str], end: int) -> int:
        """Add the inline code that begins here and return where to go on."""
        for closing in TICKS.finditer(self._text, ticks.end(), end):
            if closing[0] == ticks[0]:
                self.spans.append(Span(ticks.start(), ticks.end(), closing.start(), closing.end(), ticks[0], ticks[0]))
                return closing.end()
        return ticks.end()

    def _take_marker(self, marker: str, at: int) -> None:
        """Close what the marker closes, else open it."""
        before, after = self._text[at - 1 : at], self._text[at + len(marker) : at + len(marker) + 1]
        names = [name for name, _ in self._opened]
        is_single = len(marker) == 1
        may_close = not (is_single and before.isspace()) and not (marker == "_" and after.isalnum())
        if marker in names and may_close:
            index = len(names) - 1 - names[::-1].index(marker)
            start = self._opened[index][1]
            if start + len(marker) < at:
                self.spans.append(Span(start, start + len(marker), at, at + len(marker), marker, marker))
            del self._opened[index:]
        elif after and not (is_single and after.isspace()) and not (marker == "_" and before.isalnum()):
            self._opened.append((marker, at))
