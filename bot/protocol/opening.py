"""A single `<tag …>` or `</tag>` at the start of a text that may not be complete yet."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from xml.sax.saxutils import unescape

from bot.protocol.scanner import Verdict

MAX_LENGTH = 512
"""Characters in which a tag must end; a longer one is broken."""
_SHORTEST_CUT = 3
"""Letters of a known name at the very end of the text that make it a cut tag rather than prose such as `x <m`."""
_BEGINNING = re.compile(r"</?([A-Za-z][\w-]*)?", re.ASCII)
_ATTRIBUTE = re.compile(r"\s*([A-Za-z_][\w.-]*)\s*=\s*(\"[^\"<\n]*\"|'[^'<\n]*')", re.ASCII)
_END = re.compile(r"\s*(/?)>")
_COULD_GO_ON = re.compile(r"\s*(?:/|[A-Za-z_][\w.-]*\s*(?:=\s*(?:\"[^\"<\n]*|'[^'<\n]*)?)?)?", re.ASCII)
_CLOSING_END = re.compile(r"[^<>\n]*>")
_BROKEN_END = re.compile(r"(>)|<|\n\s*\n")


class Trouble(StrEnum):
    """What is wrong with a tag."""

    CUT_OFF = "cut off"
    BAD_ATTRIBUTES = "bad attributes"
    NOT_CLOSED = "not closed"
    NOT_OPENED = "closed but never opened"


@dataclass(frozen=True, slots=True)
class Opening:
    """A known tag up to `end`; `name` and the attributes' names are in lower case."""

    name: str
    end: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    closes: bool = False
    """`</name>`."""
    is_empty: bool = False
    """`<name/>`."""
    trouble: Trouble | None = None

    @property
    def may_have_body(self) -> bool:
        """Say whether text up to a closing tag belongs to it."""
        return not (self.closes or self.is_empty or self.trouble is Trouble.CUT_OFF)


def plain(text: str) -> str:
    """Return the text with XML's five escapes undone."""
    return unescape(text, {"&quot;": '"', "&apos;": "'"})


def read_opening(text: str, start: int, names: frozenset[str], *, final: bool) -> Opening | Verdict:
    """Return the tag at the `<` of that index if its name is among `names`, which are in lower case."""
    window = text[start : start + MAX_LENGTH]
    final = final or len(window) == MAX_LENGTH
    beginning = _BEGINNING.match(window)
    if beginning is None:
        return Verdict.SHOW
    name = (beginning[1] or "").lower()
    if beginning.end() == len(window):
        return _read_cut(name, start + len(window), names, final=final)
    if name not in names:
        return Verdict.SHOW
    if window.startswith("</"):
        found = _read_closing(window, beginning.end(), name, final=final)
    else:
        found = _read_attributes(window, beginning.end(), name, final=final)
    return Verdict.WAIT if found is None else _moved(found, start)


def _moved(opening: Opening, by: int) -> Opening:
    return Opening(opening.name, opening.end + by, opening.attributes, opening.closes, opening.is_empty, opening.trouble)


def _read_cut(name: str, end: int, names: frozenset[str], *, final: bool) -> Opening | Verdict:
    if not any(known.startswith(name) for known in names):
        return Verdict.SHOW
    if not final:
        return Verdict.WAIT
    if len(name) < _SHORTEST_CUT:
        return Verdict.SHOW
    return Opening(name, end, trouble=Trouble.CUT_OFF)


def _read_closing(window: str, at: int, name: str, *, final: bool) -> Opening | None:
    end = _CLOSING_END.match(window, at)
    if end is not None:
        return Opening(name, end.end(), closes=True)
    return _read_broken(window, at, name, Trouble.CUT_OFF, final=final)


def _read_attributes(window: str, at: int, name: str, *, final: bool) -> Opening | None:
    attributes: dict[str, str] = {}
    begin = at
    while match := _ATTRIBUTE.match(window, at):
        if match[1].lower() in attributes:
            return _read_broken(window, begin, name, Trouble.BAD_ATTRIBUTES, final=final)
        attributes[match[1].lower()] = plain(match[2][1:-1])
        at = match.end()
    if end := _END.match(window, at):
        return Opening(name, end.end(), attributes, is_empty=bool(end[1]))
    if not final and _COULD_GO_ON.fullmatch(window, at):
        return None
    return _read_broken(window, begin, name, Trouble.BAD_ATTRIBUTES, final=final)


def _read_broken(window: str, at: int, name: str, trouble: Trouble, *, final: bool) -> Opening | None:
    """Return a tag that cannot be right: up to its `>`, or to where other markup, a new paragraph or the end stops it."""
    stop = _BROKEN_END.search(window, at)
    if stop is None and not final:
        return None
    if stop is not None and stop[1]:
        return Opening(name, stop.end(), is_empty=window[stop.start() - 1] == "/", trouble=trouble)
    newline = window.find("\n", at)
    end = stop.start() if stop is not None else newline if newline >= 0 else len(window)
    return Opening(name, end, trouble=Trouble.CUT_OFF)
