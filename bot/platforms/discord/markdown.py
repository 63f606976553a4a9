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
    spans: list[Span] = []
    atoms: list[tuple[int, int]] = []
    begin = 0
    for fence in FENCE.finditer(text):
        _find_inline(text, begin, fence.start(), spans, atoms)
        spans.append(_fence_span(fence))
        begin = fence.end()
    _find_inline(text, begin, len(text), spans, atoms)
    blocks = [span for span in spans if span.is_block]
    spans.extend(span for span in _line_spans(text) if not any(b.start <= span.start < b.end for b in blocks))
    return Markup(tuple(sorted(spans, key=lambda span: (span.start, -span.end))), tuple(atoms))


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


def _find_inline(text: str, begin: int, end: int, spans: list[Span], atoms: list[tuple[int, int]]) -> None:
    """Add what stands between `begin` and `end`, where no fence is."""
    opened: list[tuple[str, int]] = []
    at = begin
    while at < end:
        if text[at] == "\\":
            atoms.append((at, min(at + 2, end)))
            at += 2
        elif atom := UNBREAKABLE.match(text, at, end):
            atoms.append(atom.span())
            at = atom.end()
        elif ticks := TICKS.match(text, at, end):
            at = _take_code(text, ticks, end, spans)
        elif marker := next((m for m in MARKERS if text.startswith(m, at, end)), ""):
            _take_marker(text, marker, at, opened, spans)
            at += len(marker)
        else:
            at += 1


def _take_code(text: str, ticks: re.Match[str], end: int, spans: list[Span]) -> int:
    """Add the inline code that begins here and return where to go on."""
    for closing in TICKS.finditer(text, ticks.end(), end):
        if closing[0] == ticks[0]:
            spans.append(Span(ticks.start(), ticks.end(), closing.start(), closing.end(), ticks[0], ticks[0]))
            return closing.end()
    return ticks.end()


def _take_marker(text: str, marker: str, at: int, opened: list[tuple[str, int]], spans: list[Span]) -> None:
    """Close what the marker closes, else open it."""
    before, after = text[at - 1 : at], text[at + len(marker) : at + len(marker) + 1]
    names = [name for name, _ in opened]
    is_single = len(marker) == 1
    may_close = not (is_single and before.isspace()) and not (marker == "_" and after.isalnum())
    if marker in names and may_close:
        index = len(names) - 1 - names[::-1].index(marker)
        start = opened[index][1]
        if start + len(marker) < at:
            spans.append(Span(start, start + len(marker), at, at + len(marker), marker, marker))
        del opened[index:]
    elif after and not (is_single and after.isspace()) and not (marker == "_" and before.isalnum()):
        opened.append((marker, at))
