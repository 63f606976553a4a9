"""What a stretch of text names, and what of it is noise."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.domain.entity import EntityKind, EntityMention
from bot.nlp.sentences import Sentences
from bot.nlp.words import CONNECTORS, DULL_ALONE, GIVEN_NAMES, STOP_WORDS, TITLES

MOST_MENTIONS = 50
"""Names taken of one text."""
_LONGEST_NAME = 60
_MOST_WORDS = 6
_LAUGH = re.compile(r"a*(?:(?:h[aeio]|ja|ka|xa){2,}h*|lo+l|lma+o+|x+d+)[sz]*")
_DRAWN_OUT = re.compile(r"(.)\1{2,}")
_WORD = re.compile(r"(?:\b[ODL]['’])?[^\W_](?:[\w.&+-]*[\w+])?|&")


@dataclass(frozen=True, slots=True)
class Found:
    """A name and where it begins."""

    start: int
    name: str
    kind: EntityKind
    introduced: bool = False
    """The text says itself that this is the name of somebody or something."""

    @property
    def end(self) -> int:
        """Return where it ends."""
        return self.start + len(self.name)


def names_in(text: str, start: int, end: int, kind: EntityKind) -> Iterator[Found]:
    """Yield the names in a stretch of text: runs of words that begin with a capital, without the small talk around them."""
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text, start, end):
        if run and text[run[-1].end() : word.start()] != " ":
            yield from _named(text, run, kind)
            run = []
        if _is_capital(word[0]) or (run and word[0].lower() in CONNECTORS):
            run.append(word)
        elif run:
            yield from _named(text, run, kind)
            run = []
    yield from _named(text, run, kind)


def mentions(text: str, found: Iterable[Found]) -> Sequence[EntityMention]:
    """Return what was found in order of the text, each name once; of two that overlap, the one that was found first.

    What stood in the text only after its markup was blanked is none.
    """
    kept: list[Found] = []
    taken = bytearray(len(text))
    for name in found:
        if text.startswith(name.name, name.start) and not any(taken[name.start : name.end]):
            taken[name.start : name.end] = b"\1" * len(name.name)
            kept.append(name)
    sentences = Sentences(text)
    once = {name.name.casefold(): name for name in sorted(kept, key=lambda name: name.start, reverse=True)}
    ordered = sorted(once.values(), key=lambda name: name.start)[:MOST_MENTIONS]
    return tuple(EntityMention(" ".join(name.name.split()), name.kind, sentences.at(name.start)) for name in ordered)


def is_shouted(text: str) -> bool:
    """Return whether capitals mean nothing here, because nearly every word has one."""
    words = [word[0] for word in _WORD.finditer(text) if word[0] not in {"I", "&"}]
    capitals = sum(_is_capital(word) for word in words)
    return len(words) > 1 and capitals > len(words) * 0.6


def _named(text: str, run: list[re.Match[str]], kind: EntityKind) -> Iterator[Found]:
    words = run[:]
    while words and _is_small_talk(words[0][0]):
        words.pop(0)
    while words and _is_small_talk(words[-1][0]):
        words.pop()
    if not words or (len(words) == 1 and words[0][0].lower() in DULL_ALONE):
        return
    name = text[words[0].start() : words[-1].end()]
    if 2 <= len(name) <= _LONGEST_NAME and len(words) <= _MOST_WORDS and any(character.isalpha() for character in name):
        yield Found(words[0].start(), name, EntityKind.PERSON if name in GIVEN_NAMES else kind)


def _is_capital(word: str) -> bool:
    """Return whether the word has a capital, is a number, or is of a script without capitals."""
    return word != word.lower() or (word == word.upper() and word != "&")


def _is_small_talk(word: str) -> bool:
    folded = word.lower()
    if _LAUGH.fullmatch(folded) or _DRAWN_OUT.sub(r"\1", folded) in STOP_WORDS:  # heyyy
        return True
    return folded in STOP_WORDS or folded in CONNECTORS or folded in TITLES or word.isdecimal()
