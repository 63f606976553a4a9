"""Markdown's code blocks and inline code, found in a text that may not be complete yet."""

import re
from dataclasses import dataclass

MAX_INLINE = 1000
"""Characters in which inline code must end; a backtick without a partner within them is plain text."""
_MAX_LINE = 200
"""Characters in which the line that opens or closes a block is told from inline code and from text."""
_RUN = re.compile(r"`+|~+")
_TICKS = re.compile(r"`+")
_TICKS_OR_PARAGRAPH_END = re.compile(r"(`+)|\n[ \t]*(?:\n|```|~~~)")
_BEFORE_BLOCK = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")


@dataclass(frozen=True, slots=True)
class Fence:
    """What opened a code block. One that stands in the middle of a line is closed in the middle of a line too."""

    char: str
    length: int
    within_line: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """Text up to `end` that is shown as it is, and the code block that is open from there on."""

    end: int
    fence: Fence | None = None


def starts_block(line: str) -> bool:
    """Say whether a fence after this beginning of a line opens a block: indents, quote marks and list marks may precede it."""
    return _BEFORE_BLOCK.fullmatch(line) is not None


def read_code(text: str, start: int, *, starts_line: bool, final: bool) -> Stretch | None:
    """Return what the backtick or tilde at `start` makes of the text, or None while more text could change that."""
    run = _RUN.match(text, start)
    if run is None:
        raise ValueError("There is neither a backtick nor a tilde.")
    if run.end() == len(text) and not final:
        return None
    char, length = text[start], run.end() - start
    if length < 3:
        return Stretch(run.end()) if char == "~" else _read_inline(text, run.end(), length, final=final)
    if starts_line:
        return _read_opening_line(text, run.end(), Fence(char, length), final=final)
    return Stretch(run.end(), Fence(char, length, within_line=True) if char == "`" else None)


def read_block(text: str, start: int, fence: Fence, *, fresh_line: bool, final: bool) -> Stretch | None:
    """Return the next stretch inside a code block; its fence is None once the block is closed. None asks for more text."""
    if fence.within_line:
        return _read_block_within_line(text, start, fence, final=final)
    newline = text.find("\n", start)
    end = len(text) if newline < 0 else newline
    line = text[start:end]
    if fresh_line and len(line) < _MAX_LINE:
        marks = re.escape(fence.char)
        if re.fullmatch(rf"[ \t>]*{marks}{{{fence.length},}}[ \t\r]*", line) and (newline >= 0 or final):
            return Stretch(end)
        if newline < 0 and not final and re.fullmatch(rf"[ \t>]*{marks}*[ \t\r]*", line):
            return None
    return Stretch(end if newline < 0 else newline + 1, fence)


def _read_inline(text: str, start: int, length: int, *, final: bool) -> Stretch | None:
    """Return inline code up to its closing run, or only the opening run when it has none in its paragraph."""
    for match in _TICKS_OR_PARAGRAPH_END.finditer(text, start):
        if match.end() > start + MAX_INLINE or match[1] is None:
            return Stretch(start)
        if match.end() == len(text) and not final:
            return None
        if len(match[1]) == length:
            return Stretch(match.end())
    return Stretch(start) if final or len(text) > start + MAX_INLINE else None


def _read_opening_line(text: str, start: int, fence: Fence, *, final: bool) -> Stretch | None:
    """Return the block that a fence opens, or inline code when a run of the same length follows in its line."""
    if fence.char == "~":
        return Stretch(start, fence)
    limit = start + _MAX_LINE
    newline = text.find("\n", start, limit)
    end = min(limit, len(text)) if newline < 0 else newline
    undecided = newline < 0 and not final and len(text) <= limit
    for match in _TICKS.finditer(text, start, end):
        if match.end() == len(text) and undecided:
            return None
        if match.end() - match.start() == fence.length:
            return Stretch(match.end())
    return None if undecided else Stretch(start, fence)


def _read_block_within_line(text: str, start: int, fence: Fence, *, final: bool) -> Stretch | None:
    for match in _TICKS.finditer(text, start):
        if match.end() == len(text) and not final:
            return Stretch(match.start(), fence) if match.start() > start else None
        if match.end() - match.start() >= fence.length:
            return Stretch(match.end())
    return Stretch(len(text), fence)
