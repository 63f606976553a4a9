"""Patterns as lorebook keys: only those run whose work is bounded, by a count made before."""

import re
from dataclasses import dataclass
from functools import lru_cache

MOST_TEXT = 2_000
"""Characters of what was said last in which patterns are looked for."""
MOST_WORK = 300
"""Ways in which a pattern may match at one place; those that could take more are never run."""
MOST_LENGTH = 500
_REPEATED = 40
"""How often `*` and `+` repeat at most."""
_ESCAPED = frozenset("dDsSwWbBntr")
_ENCLOSED = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\\[])*\]", re.DOTALL)
_SETS = re.compile(r"--|&&|\|\||~~")
"""What may become arithmetic with classes one day."""
_COUNT = re.compile(r"\{(\d{1,3})(?:(,)(\d{0,3}))?\}")
_FLAGS = {"i": re.IGNORECASE, "s": re.DOTALL, "m": re.MULTILINE, "u": re.UNICODE, "g": re.NOFLAG}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern, and in how many ways it may match at one place."""

    regex: re.Pattern[str]
    work: int


@lru_cache(maxsize=1024)
def pattern_of(key: str, *, case_sensitive: bool) -> Pattern | None:
    """Return the pattern that a key writes, bare or as `/pattern/flags`; None for one that is broken or could take long.

    Letters, classes, groups, choices, anchors and `?` are taken; `*`, `+` and counts behind a single character or class. Looking
    around, back references, repeated groups and everything else is not.
    """
    enclosed = _ENCLOSED.fullmatch(key)
    written, letters = (enclosed[1], enclosed[2]) if enclosed else (key, "" if case_sensitive else "i")
    if len(written) > MOST_LENGTH or set(letters) - set(_FLAGS):
        return None
    flags = re.NOFLAG
    for letter in letters:
        flags |= _FLAGS[letter]
    try:
        reader = _Reader(written)
        work = reader.choices(0)
        return Pattern(re.compile("".join(reader.bounded), flags), work) if work <= MOST_WORK else None
    except (_Unsure, re.error):
        return None


class _Unsure(Exception):
    """The pattern holds something whose work is not counted."""


@dataclass(slots=True)
class _Atom:
    work: int
    is_single: bool


class _Reader:
    """Reads a pattern once, counts in how many ways it can match, and writes it anew with its repeats bounded."""

    def __init__(self, written: str) -> None:
        self._written = written
        self._place = 0
        self.bounded: list[str] = []

    def choices(self, depth: int) -> int:
        """Read alternatives up to a closing bracket or the end; return the ways of all of them."""
        work = self._sequence(depth)
        while self._peek() == "|":
            self._take(1)
            work += self._sequence(depth)
        if depth == 0 and self._peek():
            raise _Unsure
        return work

    def _sequence(self, depth: int) -> int:
        work = 1
        while self._peek() not in {"", "|", ")"}:
            atom = self._atom(depth)
            work *= self._repeated(atom)
            if work > MOST_WORK:
                raise _Unsure
        return work

    def _atom(self, depth: int) -> _Atom:
        char = self._peek()
        if char == "(":
            return self._group(depth)
        if char == "[":
            found = _CLASS.match(self._written, self._place)
            if not found or _SETS.search(found[0]):
                raise _Unsure
            self._take(len(found[0]))
        elif char == "\\":
            escaped = self._written[self._place + 1 : self._place + 2]
            if not escaped or (escaped.isalnum() and escaped not in _ESCAPED):
                raise _Unsure
            self._take(2)
        elif char in "*+?{":
            raise _Unsure
        else:
            self._take(1)
        return _Atom(1, is_single=True)

    def _group(self, depth: int) -> _Atom:
        opening = "(?:" if self._written.startswith("(?:", self._place) else "("
        if depth > 8 or (opening == "(" and self._written.startswith("(?", self._place)):
            raise _Unsure
        self._take(len(opening))
        work = self.choices(depth + 1)
        if self._peek() != ")":
            raise _Unsure
        self._take(1)
        return _Atom(work, is_single=False)

    def _repeated(self, atom: _Atom) -> int:
        """Read what repeats the atom; return its ways with that."""
        char = self._peek()
        if char == "?":
            self._take(1)
            work = atom.work + 1
        elif char and char in "*+":
            work = self._single(atom, _REPEATED)
            self._place += 1
            self.bounded.append(f"{{{0 if char == '*' else 1},{_REPEATED}}}")
        elif char == "{":
            work = self._single(atom, self._count())
        else:
            return atom.work
        if self._peek() == "?":
            self._take(1)
        return work

    def _count(self) -> int:
        found = _COUNT.match(self._written, self._place)
        least, most = (int(found[1]), int(found[3] or 0 if found[2] else found[1])) if found else (0, 0)
        if not found or not least <= most <= _REPEATED:
            raise _Unsure
        self._take(len(found[0]))
        return most - least + 1

    def _single(self, atom: _Atom, times: int) -> int:
        if not atom.is_single:
            raise _Unsure
        return times

    def _peek(self) -> str:
        return self._written[self._place : self._place + 1]

    def _take(self, length: int) -> None:
        self.bounded.append(self._written[self._place : self._place + length])
        self._place += length
