"""The lorebook of a persona: which of its entries stand in a prompt, and what they say there."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bot.domain.lore import Lorebook, LoreEntry, LorePosition, SecondaryLogic
from bot.ports.tokens import TokenCounter
from bot.prompt.lore_decorators import Decorated, decorated
from bot.prompt.lore_patterns import MOST_TEXT, pattern_of
from bot.prompt.macros import Macros

USUAL_DEPTH = 4
"""Last messages in which keys are looked for."""
USUAL_TOKENS = 512
MOST_ROUNDS = 3
"""How often what entries say may fire further ones."""
MOST_SEARCHED = 20_000
"""Characters of what was said last in which keys are looked for."""
_MOST_KEYS = 10_000
"""Keys that are looked for in one turn."""
_MOST_WORK = 3_000
"""Ways in which all patterns of a turn may match at one place, together."""
_SIGNS = re.compile(r"[.^$*+?{}\[\]\\|()/]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
"""Scripts without blanks between words, or with endings on them: there, a key stands for itself within any word."""


@dataclass(frozen=True, slots=True)
class Fired:
    """The entries that stand in a prompt, in their order, and how many of those that should were left out for want of room."""

    before: tuple[str, ...] = ()
    """What stands before the persona's voice."""
    after: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def texts(self) -> tuple[str, ...]:
        """Return all that was fired."""
        return (*self.before, *self.after)


def standing(book: Lorebook, tokens: TokenCounter, macros: Macros, *, most: int) -> Fired:
    """Return what stands in every prompt. It may fill what the book allows, at most `most` tokens."""
    chosen = _Choice(tokens, macros, _budget(book, most))
    chosen.take(_constant(book))
    return chosen.fired()


def called(book: Lorebook, said: Sequence[str], tokens: TokenCounter, *, constant: Macros, macros: Macros, most: int) -> Fired:
    """Return what the last messages, oldest first, bring into the prompt, in the room that what always stands there leaves.

    `constant` fills in the macros of what always stands, `macros` those of what is called.
    """
    waiting = [entry for entry in _entries(book) if not entry.is_constant]
    if not waiting:
        return Fired()
    stands = _Choice(tokens, constant, _budget(book, most))
    stands.take(_constant(book))
    chosen = _Choice(tokens, macros, stands.left)
    search = _Search(said, USUAL_DEPTH if book.scan_depth is None else book.scan_depth, macros)
    hits = [entry for entry in waiting if search.finds(entry, "")]
    told = [*stands.told, *chosen.take(hits)]
    for _ in range(MOST_ROUNDS if book.recursive else 0):
        seen = set(map(id, hits))
        waiting = [entry for entry in waiting if id(entry) not in seen and not entry.written.ignores_lore]
        hits = [entry for entry in waiting if search.finds(entry, "\n".join(told))]
        if not hits:
            break
        told = chosen.take(hits)
    return chosen.fired()


@dataclass(frozen=True)
class _Entry:
    written: LoreEntry
    asked: Decorated
    place: int

    @property
    def is_constant(self) -> bool:
        return self.written.constant or self.asked.always

    @property
    def priority(self) -> int:
        return self.written.order if self.written.priority is None else self.written.priority


def _entries(book: Lorebook) -> Iterator[_Entry]:
    for place, entry in enumerate(book.entries):
        asked = decorated(entry.content)
        if entry.enabled and asked.text and not asked.never:
            yield _Entry(entry, asked, place)


def _constant(book: Lorebook) -> list[_Entry]:
    return [entry for entry in _entries(book) if entry.is_constant]


def _budget(book: Lorebook, most: int) -> int:
    return min(book.token_budget or USUAL_TOKENS, most)


@dataclass
class _Choice:
    """Takes entries as far as there is room, the more important ones first."""

    tokens: TokenCounter
    macros: Macros
    left: int
    taken: list[tuple[_Entry, str]] = field(default_factory=list)
    left_out: int = 0
    told: list[str] = field(default_factory=list)
    """What may fire further entries."""

    def take(self, entries: Iterable[_Entry]) -> list[str]:
        """Take the entries; return what they say that may fire further ones."""
        told: list[str] = []
        for entry in sorted(entries, key=lambda entry: -entry.priority):
            text = self.macros.fill(entry.asked.text).strip()
            cost = self.tokens.count(text)
            if cost > self.left:
                self.left_out += 1
                continue
            self.left -= cost
            if text:
                self.taken.append((entry, text))
            if not entry.written.ends_recursion:
                told.append(replace(self.macros, shows_hidden_keys=True).fill(entry.asked.text))
        self.told += told
        return told

    def fired(self) -> Fired:
        """Return what was taken, in the book's order."""
        ordered = sorted(self.taken, key=lambda pair: (pair[0].written.order, pair[0].place))
        before = tuple(text for entry, text in ordered if entry.written.position is LorePosition.BEFORE)
        after = tuple(text for entry, text in ordered if entry.written.position is not LorePosition.BEFORE)
        return Fired(before, after, self.left_out)


class _Text:
    """A text that is searched, and its form in which case does not count."""

    def __init__(self, text: str) -> None:
        self.exact = text[-MOST_SEARCHED:]

    @cached_property
    def folded(self) -> str:
        """Return the text without regard to case."""
        return self.exact.casefold()


class _Search:
    """Looks for keys in what was said, with bounds on all work."""

    def __init__(self, said: Sequence[str], depth: int, macros: Macros) -> None:
        self._said = said
        self._depth = depth
        self._macros = macros
        self._texts: dict[tuple[int, str], _Text] = {}
        self._keys_left = _MOST_KEYS
        self._work_left = _MOST_WORK

    def finds(self, entry: _Entry, lore: str) -> bool:
        """Say whether the last messages, or what other entries say, call an entry."""
        text = self._searched(entry, lore)
        written, asked = entry.written, entry.asked
        if not self._any(written.keys, text, written) or (asked.needed and not self._any(asked.needed, text, written)):
            return False
        if asked.excluded and self._any(asked.excluded, text, written):
            return False
        return not written.secondary_keys or self._secondary(text, written)

    def _secondary(self, text: _Text, entry: LoreEntry) -> bool:
        match entry.logic:
            case SecondaryLogic.NONE:
                return True
            case SecondaryLogic.ANY:
                return self._any(entry.secondary_keys, text, entry)
            case SecondaryLogic.NOT_ANY:
                return not self._any(entry.secondary_keys, text, entry)
            case SecondaryLogic.ALL:
                return self._all(entry.secondary_keys, text, entry)
            case SecondaryLogic.NOT_ALL:
                return not self._all(entry.secondary_keys, text, entry)

    def _searched(self, entry: _Entry, lore: str) -> _Text:
        depths = (entry.asked.scan_depth, entry.written.scan_depth, self._depth)
        depth = next(depth for depth in depths if depth is not None)
        key = (depth, lore)
        if key not in self._texts:
            said = self._said[-depth:] if depth > 0 else ()
            self._texts[key] = _Text("\n".join((*said, lore)))
        return self._texts[key]

    def _any(self, keys: Iterable[str], text: _Text, entry: LoreEntry) -> bool:
        return any(self._found(key, text, entry) for key in keys)

    def _all(self, keys: Iterable[str], text: _Text, entry: LoreEntry) -> bool:
        return all(self._found(key, text, entry) for key in keys)

    def _found(self, written: str, text: _Text, entry: LoreEntry) -> bool:
        self._keys_left -= 1
        key = self._macros.fill(written).strip()
        if not key or self._keys_left < 0:
            return False
        if entry.regex and _SIGNS.search(key) and (pattern := pattern_of(key, case_sensitive=entry.case_sensitive)):
            self._work_left -= pattern.work
            return self._work_left >= 0 and pattern.regex.search(text.exact[-MOST_TEXT:]) is not None
        if entry.case_sensitive:
            return _holds(text.exact, key, whole=entry.whole_words)
        return _holds(text.folded, key.casefold(), whole=entry.whole_words)


def _holds(text: str, key: str, *, whole: bool) -> bool:
    if not whole or _UNSPACED.search(key):
        return key in text
    place = text.find(key)
    while place >= 0:
        before, after = text[place - 1 : place] if place else "", text[place + len(key) : place + len(key) + 1]
        if not _in_word(before) and not _in_word(after):
            return True
        place = text.find(key, place + 1)
    return False


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"
