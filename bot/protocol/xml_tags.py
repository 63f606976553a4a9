"""Tags that a model writes into its answer, such as `<mem_new>Likes tea</mem_new>`, taken out of it piece by piece."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.protocol.opening import Opening, Trouble, plain, read_opening
from bot.protocol.scanner import Removed, Scanner, Verdict, VisibleText

MAX_ELEMENT = 4096
"""Characters in which a tag's body must be closed. Not more is ever held back; past it the tag counts as not closed."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A complete tag. Its name and its attributes' names are in lower case; XML's escapes are undone; the body keeps its blanks."""

    name: str
    attributes: Mapping[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A known tag that was dropped; holds nothing of the text, so that it may be logged."""

    name: str
    trouble: Trouble


TagResult = VisibleText | Tag | Problem


class TagParser:
    """Feed it an answer in pieces; the results in a row are the same for any way of cutting it.

    Tags in code blocks and inline code, and tags of other names, are shown as they are. Of a tag that is not closed, the rest of its
    line goes with it, up to the next known tag; the lines below are kept. Blanks around what is taken out leave no gap.
    """

    def __init__(self, names: frozenset[str], *, without_body: frozenset[str] = frozenset()) -> None:
        """Take the known names in lower case, and which of them are whole without a closing tag."""
        self._names = names | without_body
        self._without_body = without_body
        known = "|".join(re.escape(name) for name in sorted(self._names, key=len, reverse=True))
        self._known = re.compile(rf"<(/?)({known})(?![\w-])", re.IGNORECASE | re.ASCII)
        self._scanner = Scanner[Tag | Problem](self._read)

    def feed(self, chunk: str) -> list[TagResult]:
        """Return what the answer has come to mean with this piece."""
        return self._scanner.feed(chunk)

    def close(self) -> list[TagResult]:
        """Return the rest; nothing comes after it."""
        return self._scanner.close()

    def _read(self, text: str, start: int, final: bool) -> Removed[Tag | Problem] | Verdict:
        opening = read_opening(text, start, self._names, final=final)
        if isinstance(opening, Verdict):
            return opening
        if opening.closes:
            return Removed(opening.end, self._closed_for_nothing(opening))
        if opening.may_have_body and opening.name not in self._without_body:
            return self._read_body(text, start, opening, final=final)
        return Removed(opening.end, (_result(opening, ""),))

    def _closed_for_nothing(self, opening: Opening) -> tuple[Problem, ...]:
        return () if opening.name in self._without_body else (Problem(opening.name, Trouble.NOT_OPENED),)

    def _read_body(self, text: str, start: int, opening: Opening, *, final: bool) -> Removed[Tag | Problem] | Verdict:
        text, final = text[: start + MAX_ELEMENT], final or len(text) >= start + MAX_ELEMENT
        following = self._known.search(text, opening.end)
        if not final and (following is None or following.end() == len(text)):
            return Verdict.WAIT
        if following is not None and following[1] and following[2].lower() == opening.name:
            closing = read_opening(text, following.start(), self._names, final=final)
            if closing is Verdict.WAIT:
                return Verdict.WAIT
            if isinstance(closing, Opening) and closing.closes:
                body = plain(text[opening.end : following.start()])
                return Removed(closing.end, (_result(opening, body),))
        stop = len(text) if following is None else following.start()
        newline = text.find("\n", opening.end, stop)
        return Removed(stop if newline < 0 else newline, (Problem(opening.name, Trouble.NOT_CLOSED),))


def _result(opening: Opening, body: str) -> Tag | Problem:
    if opening.trouble is not None:
        return Problem(opening.name, opening.trouble)
    return Tag(opening.name, opening.attributes, body)
