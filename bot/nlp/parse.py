"""A parsed sentence: its words, what each depends on, and whom they name."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.domain.claim import SPEAKER
from bot.domain.entity import EntityMention
from bot.nlp.words import STOP_WORDS

_SPEAKER_WORDS = frozenset(("i", "me", "we", "us", "myself"))
_OWN_WORDS = frozenset(("my", "our"))
_IN_NAMES_OF_THINGS = frozenset(("NN", "NNS", "NNP", "NNPS", "JJ", "VBG", "HYPH", "POS"))
_TOLD_BY = re.compile(r"\W*(?:\d\d?:\d\d\W+)?[A-Z@][\w .-]{0,30}:\s")
"""How a line of a chat begins that somebody has pasted."""
_QUOTED = re.compile(r"[\"“„«][^\"”“»]*[\"”»]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as a parser of English sees it; `head` is the place of the word that it depends on, its own for the root."""

    text: str
    lemma: str
    tag: str
    dep: str
    head: int
    start: int
    """Where it begins in the sentence."""

    @property
    def is_noun(self) -> bool:
        """Say whether it is a noun or a name."""
        return self.tag.startswith("NN")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words of one sentence with the names among them, by the place of each word."""

    text: str
    words: Sequence[Word]
    names: Mapping[int, str]
    _children: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def children(self, place: int, *deps: str) -> Sequence[int]:
        """Return the words that depend on a word, of these kinds if any are given."""
        return [child for child in self._children.get(place, ()) if not deps or self.words[child].dep in deps]

    def lemmas(self, places: Iterable[int]) -> frozenset[str]:
        """Return the words at some places in their basic form."""
        return frozenset(self.words[place].lemma.lower() for place in places)

    def is_quoted(self, place: int) -> bool:
        """Say whether a word stands between quotation marks, or in a pasted line: `Bob: I live in Rome`."""
        start = self.words[place].start
        return bool(_TOLD_BY.match(self.text[:start])) or any(found.start() < start < found.end() for found in _QUOTED.finditer(self.text))

    def named(self, place: int) -> str | None:
        """Return whom or what a word names: the speaker, a name, or one that stands beside it, as in `my sister Eva`; else None."""
        word = self.words[place]
        if word.text.lower() in _SPEAKER_WORDS and word.tag.startswith("PRP"):
            return SPEAKER
        if place in self.names:
            return self.names[place]
        beside = [child for child in self.children(place, "appos") if child in self.names]
        if beside:
            return self.names[beside[0]]
        begins_as_name = place > 0 or word.text.lower() not in STOP_WORDS
        return self.proper(place) if word.text[:1].isupper() and begins_as_name else None

    def proper(self, place: int) -> str | None:
        """Return a proper noun with the others before it, known as a name or not."""
        if self.words[place].tag not in {"NNP", "NNPS"}:
            return None
        first = place
        while first and self.words[first - 1].tag in {"NNP", "NNPS"} and self.words[first - 1].head in range(first - 1, place + 1):
            first -= 1
        return self._between(first, place)

    def thing(self, place: int) -> str | None:
        """Return a name or a noun with what describes it, as in `green tea`; None for pronouns and for what only context tells."""
        if (name := self.named(place)) is not None:
            return name
        word = self.words[place]
        parts = self.children(place, "compound", "amod", "nmod", "poss", "det", "nummod", "acl", "relcl", "prep")
        if not word.is_noun or any(self.words[part].dep in {"poss", "relcl", "acl"} for part in parts):
            return None
        if any(self.words[part].lemma.lower() not in {"a", "an", "the"} for part in parts if self.words[part].dep == "det"):
            return None
        first = min([part for part in parts if self.words[part].dep in {"compound", "amod", "nmod"} and part < place], default=place)
        is_whole = all(self.words[part].tag in _IN_NAMES_OF_THINGS for part in range(first, place))
        return self._between(first, place) if is_whole and place - first < 4 else None

    def owner(self, place: int) -> str | None:
        """Return whose something is, as in `my sister` and `Eva's cat`; None for nobody known."""
        for child in self.children(place, "poss"):
            return SPEAKER if self.words[child].text.lower() in _OWN_WORDS else self.named(child)
        return None

    def with_others(self, place: int) -> Iterator[int]:
        """Yield a word and those that are listed with it: tea, coffee and cake."""
        yield place
        for child in self.children(place, "conj"):
            yield from self.with_others(child)

    def after(self, place: int, *prepositions: str) -> Iterator[int]:
        """Yield what follows these prepositions of a word: `in Paris`."""
        for preposition in self.children(place, "prep", "agent", "dative"):
            if self.words[preposition].lemma.lower() in prepositions:
                yield from self.children(preposition, "pobj", "pcomp")

    def _between(self, first: int, last: int) -> str:
        end = self.words[last].start + len(self.words[last].text)
        return " ".join(self.text[self.words[first].start : end].split())


def sentence_of(text: str, words: Sequence[Word], mentions: Iterable[EntityMention]) -> Sentence:
    """Return a sentence in which the mentions are the names."""
    children: dict[int, list[int]] = {}
    for place, word in enumerate(words):
        if word.head != place:
            children.setdefault(word.head, []).append(place)
    names: dict[int, str] = {}
    for name in sorted({mention.name for mention in mentions}, key=len):
        for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            names |= {place: name for place, word in enumerate(words) if found.start() <= word.start < found.end()}
    return Sentence(text, words, names, children)
