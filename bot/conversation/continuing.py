"""An answer that was cut by its length, and what a model writes when it goes on."""

import re

GO_ON = "Your answer was cut off there. Go on exactly where it stops; repeat and introduce nothing."
MARK = " …"
"""Ends an answer that stays cut."""
_LAST_WORD = re.compile(r"(?<=\s)\S{1,40}\Z")
_LEAST_OVERLAP = 8
_MOST_OVERLAP = 400


def to_go_on_from(text: str) -> str:
    """Return a cut text without its last word, which may be half of one."""
    return _LAST_WORD.sub("", text)


def gone_on(before: str, more: str) -> str:
    """Return both as one text; what the second part repeats of the end of the first, or of the blanks between, is there once."""
    more = more.lstrip() if before[-1:].isspace() else more
    for size in range(min(len(before), len(more), _MOST_OVERLAP), _LEAST_OVERLAP - 1, -1):
        if before.endswith(more[:size]):
            return before + more[size:]
    return before + more


def marked(text: str) -> str:
    """Return a text that stays cut, with a mark."""
    return text.rstrip() + MARK
