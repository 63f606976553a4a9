"""As many lines as one message holds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.domain.command import LONGEST_LINE, Button, Option, OptionKind
from bot.domain.text import utf16_length
from bot.wording.say import say

PAGE_LIMIT = 20
PAGE_LENGTH = 1600
"""UTF-16 units of a page's lines: with heading and footer it fits one message on every platform."""
PAGE_OPTION = Option("page", "Which page, when there are several", OptionKind.NUMBER, required=False)


@dataclass(frozen=True, slots=True)
class Page:
    """Lines of a list that fit one message."""

    lines: Sequence[str]
    number: int
    of: int

    @property
    def note(self) -> str:
        """Return what stands behind the heading: which page it is, where there are several."""
        return f" ({say('page {page} of {pages}', page=self.number, pages=self.of)})" if self.of > 1 else ""

    def buttons(self, line: str) -> tuple[Button, ...]:
        """Return what turns the pages; `line` is the command to which a page's number is added. One that is too long has none."""
        turns = [("‹", self.number - 1), ("›", self.number + 1)]
        made = [Button(label, f"{line}{number}", turns=True) for label, number in turns if 1 <= number <= self.of]
        return tuple(button for button in made if len(button.line.encode()) <= LONGEST_LINE)


def page_of(lines: Sequence[str], number: int) -> Page:
    """Return a page of a list, the nearest where there is none of that number; one without lines where there are none."""
    pages = paged(lines) or [[]]
    there = min(max(number, 1), len(pages))
    return Page(pages[there - 1], there, len(pages))


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
    back = (Button("« 1", line, turns=True),) if after > 0 else ()
    return (*back, Button("›", f"{line} {more_after}", turns=True)) if more_after is not None else back


def pieces(text: str, limit: int) -> list[str]:
    """Return a text in pieces of at most `limit` characters, cut at blanks where there are some."""
    found: list[str] = []
    while len(text) > limit:
        blank = text.rfind(" ", limit // 2, limit + 1)
        cut = blank if blank > 0 else limit
        found.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*found, text] if text else found
