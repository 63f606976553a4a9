"""HTML tags that models write between Markdown: which belong together, and what they mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from bot.domain.message import StyleKind

STYLES: Mapping[str, StyleKind] = {
    "b": StyleKind.BOLD, "strong": StyleKind.BOLD, "i": StyleKind.ITALIC, "em": StyleKind.ITALIC, "u": StyleKind.UNDERLINE,
    "ins": StyleKind.UNDERLINE, "s": StyleKind.STRIKE, "del": StyleKind.STRIKE, "strike": StyleKind.STRIKE,
    "tg-spoiler": StyleKind.SPOILER, "code": StyleKind.BOLD, "mark": StyleKind.BOLD,
}  # fmt: skip
LINE_TAGS = frozenset({"br", "hr"})
_OTHERS = ("p", "div", "span", "sub", "sup", "small", "center", "font", "kbd")
"""Tags that mean nothing in a chat."""
TAG = re.compile(rf"<(?P<end>/?)(?P<name>{'|'.join([*STYLES, *LINE_TAGS, *_OTHERS])})(?:\s[^<>]*)?\s*/?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tag:
    """One edge of a styled stretch: in which token, at which of its characters."""

    token: int
    place: int
    kind: StyleKind
    opens: bool


def paired_tags(tokens: Sequence[Token]) -> Sequence[Tag]:
    """Return the tags that form pairs, each within one stretch of Markdown, so that styles never cross."""
    paired: list[Tag] = []
    levels: list[list[tuple[str, Tag]]] = [[]]
    for index, token in enumerate(tokens):
        if token.nesting > 0:
            levels.append([])
        elif token.nesting < 0 and len(levels) > 1:
            levels.pop()
        for found in TAG.finditer(token.content) if token.type == "text" else ():
            name = found["name"].casefold()
            if name not in STYLES:
                continue
            waiting, tag = levels[-1], Tag(index, found.start(), STYLES[name], opens=not found["end"])
            if tag.opens:
                waiting.append((name, tag))
            elif name in (names := [one for one, _ in waiting]):
                last = len(names) - 1 - names[::-1].index(name)
                paired += [waiting[last][1], tag]
                del waiting[last:]
    return paired
