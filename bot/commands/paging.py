"""As many lines as one message holds."""

from collections.abc import Iterable

from bot.domain.text import utf16_length

PAGE_LIMIT = 20
PAGE_LENGTH = 1600
"""UTF-16 units of a page's lines: with heading and footer it fits one message on every platform."""


def fitting(lines: Iterable[str]) -> list[str]:
    """Return the first lines, as many as fit one message and at least one."""
    chosen: list[str] = []
    left = PAGE_LENGTH
    for line in lines:
        left -= utf16_length(line) + 1
        if chosen and (left < 0 or len(chosen) == PAGE_LIMIT):
            break
        chosen.append(line)
    return chosen
