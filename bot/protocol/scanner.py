"""Text with markup in it, read in pieces of any size.

A `Scanner` shows text, knows code blocks and inline code, and asks a reader about every mark, such as `<`, outside them. What it
decides depends on the whole text alone, never on where it was cut: while more input could change a decision, the text is held back.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from bot.protocol.code import Fence, Stretch, read_block, read_code, starts_block

_CODE = "\\`~"
_LONGEST_END = 24
"""Characters that `Removed.skip_to` may match at most."""
_LINE_KEPT = 40


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The next piece of what people see."""

    text: str


class Verdict(Enum):
    """What to do with a mark that is not yet, or not at all, markup."""

    WAIT = "more input is needed"
    SHOW = "it is text"


E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Removed(Generic[E]):
    """Markup up to `end`, which nobody sees, and what it means.

    `skip_to` takes the following text away as well, up to and including its first match. `restart` voids all that was shown before.
    """

    end: int
    events: tuple[E, ...] = ()
    skip_to: re.Pattern[str] | None = None
    restart: bool = False


ReadMarkup = Callable[[str, int, bool], Removed[E] | Verdict]
"""Reads the markup at the mark of that index; the last argument says that no more text will come."""


class Scanner(Generic[E]):
    """Feed it pieces, then close it; the results in a row are the same for any way of cutting the text."""

    def __init__(self, read_markup: ReadMarkup[E], *, marks: str = "<") -> None:
        """Take the reader, and the characters with which markup begins."""
        self._read_markup = read_markup
        self._special = re.compile(f"[{re.escape(_CODE + marks)}]")
        self._held = ""
        self._fence: Fence | None = None
        self._skip_to: re.Pattern[str] | None = None
        self._shown = _Shown()

    @property
    def line(self) -> str:
        """Return the end of the line that is shown so far."""
        return self._shown.line

    def skip(self, until: re.Pattern[str]) -> None:
        """Take away what comes next, up to and including its first match."""
        self._skip_to = until

    def feed(self, chunk: str) -> list[VisibleText | E]:
        """Return what the text has come to mean with this piece."""
        return self._scan(self._held + chunk, final=False)

    def close(self) -> list[VisibleText | E]:
        """Return the rest; nothing comes after it."""
        return self._scan(self._held, final=True)

    def _scan(self, text: str, *, final: bool) -> list[VisibleText | E]:
        results: list[VisibleText | E] = []
        at = 0
        while at < len(text):
            step = self._step(text, at, final=final)
            if step is None:
                break
            if isinstance(step, Stretch):
                self._fence = step.fence
                visible = self._shown.add(text[at : step.end])
                results += [VisibleText(visible)] if visible else []
            else:
                self._remove(step)
                results += step.events
            at = step.end
        self._held = text[at:]
        return results

    def _step(self, text: str, at: int, *, final: bool) -> Stretch | Removed[E] | None:
        """Return the next thing in the text, or None when it is not complete."""
        if self._skip_to is not None:
            return self._skip(text, at, self._skip_to, final=final)
        if self._fence is not None:
            return read_block(text, at, self._fence, fresh_line=self._shown.on_fresh_line, final=final)
        special = self._special.search(text, at)
        if special is None or special.start() > at:
            return Stretch(len(text) if special is None else special.start())
        match text[at]:
            case "\\":
                return _escaped(text, at, final=final)
            case "`" | "~":
                return read_code(text, at, starts_line=self._shown.may_start_block, final=final)
            case _:
                return self._markup(text, at, final=final)

    def _markup(self, text: str, at: int, *, final: bool) -> Stretch | Removed[E] | None:
        found = self._read_markup(text, at, final)
        if isinstance(found, Removed):
            return found
        return None if found is Verdict.WAIT else Stretch(at + 1)

    def _skip(self, text: str, at: int, end: re.Pattern[str], *, final: bool) -> Removed[E] | None:
        match = end.search(text, at)
        if match is not None:
            return Removed(match.end())
        kept = len(text) if final else len(text) - _LONGEST_END
        return Removed(kept, skip_to=end) if kept > at else None

    def _remove(self, removed: Removed[E]) -> None:
        self._skip_to = removed.skip_to
        if removed.restart:
            self._shown = _Shown()
        self._shown.close_gap()


def _escaped(text: str, at: int, *, final: bool) -> Stretch | None:
    """Return a backslash with the mark that it makes plain."""
    if at + 1 == len(text) and not final:
        return None
    return Stretch(at + 2 if text[at + 1 : at + 2] in ("`", "~", "\\") else at + 1)


class _Gap(Enum):
    """What goes with markup that was removed, so that no double blanks and no empty lines stay behind."""

    NONE = re.compile("")
    BLANKS = re.compile(r"[ \t]*")
    LINE = re.compile(r"[ \t\r]*\n?")
    ALL = re.compile(r"\s*")


class _Shown:
    """What is needed to know of the text that was shown."""

    def __init__(self) -> None:
        self._line = ""
        self._anything = False
        self._gap = _Gap.NONE

    @property
    def line(self) -> str:
        return self._line

    @property
    def on_fresh_line(self) -> bool:
        return not self._line

    @property
    def may_start_block(self) -> bool:
        return starts_block(self._line)

    def close_gap(self) -> None:
        """Drop the blanks that follow where they would stand next to blanks."""
        if not self._anything:
            self._gap = _Gap.ALL
        elif not self._line.strip():
            self._gap = _Gap.LINE
        elif self._line[-1] in " \t":
            self._gap = _Gap.BLANKS

    def add(self, text: str) -> str:
        """Return what is to be shown of the text."""
        match = self._gap.value.match(text)
        dropped = match.end() if match else 0
        if dropped < len(text) or (text.endswith("\n") and self._gap is _Gap.LINE):
            self._gap = _Gap.NONE
        text = text[dropped:]
        self._anything = self._anything or bool(text.strip())
        line = text.rpartition("\n")[2] if "\n" in text else self._line + text
        self._line = line if len(line) <= _LINE_KEPT else "…" + line[-_LINE_KEPT:]
        return text
