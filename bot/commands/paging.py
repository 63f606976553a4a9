"""As many lines as one message holds."""

from collections.abc import Iterable, Sequence

from bot.domain.command import Button
from bot.domain.text import utf16_length

PAGE_LIMIT = 20
PAGE_LENGTH = 1600
"""UTF-16 units of a page's lines: with heading and footer it fits one message on every platform."""


def fitting(lines: Iterable[str], *, length: int = PAGE_LENGTH) -> list[str]:
    """Return the first lines, as many as fit one message and at least one."""
    chosen: list[str] = []
    left = length
    for line in lines:
        left -= utf16_length(line) + 1
        if chosen and (left < 0 or len(chosen) == PAGE_LIMIT):
            break
        chosen.append(line)
    return chosen


def paged(lines: Sequence[str]) -> list[list[str]]:
    """Return all lines in pages, each of which fits one message."""
    pages: list[list[str]] = []
    rest = list(lines)
    while rest:
        pages.append(fitting(rest))
        rest = rest[len(pages[-1]) :]
    return pages


def page_buttons(line: str, *, after: int, more_after: int | None) -> tuple[Button, ...]:
    """Return what turns the pages of a list that begins after a number: back to its beginning, and on."""
    back = (Button("« 1", line),) if after > 0 else ()
    return (*back, Button("›", f"{line} {more_after}")) if more_after is not None else back


def pieces(text: str, limit: int) -> list[str]:
    """Return a text in pieces of at most `limit` characters, cut at blanks where there are some."""
    found: list[str] = []
    while len(text) > limit:
        blank = text.rfind(" ", limit // 2, limit + 1)
        cut = blank if blank > 0 else limit
        found.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*found, text] if text else found
