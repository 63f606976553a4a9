"""From turns that were found to excerpts: what belongs to a turn stands with it, what fits is shown, in the order of time."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from bot.domain.claim import is_asked
from bot.domain.message import StoredMessage
from bot.domain.past import Excerpt
from bot.domain.terms import terms
from bot.domain.text import one_line
from bot.memory.gate.border import Border
from bot.memory.gate.claims import safely_named
from bot.memory.search.ranking import Hit
from bot.ports.corpus import Documents
from bot.ports.tokens import TokenCounter

BESIDE_SECONDS = 30 * 60
"""A turn belongs to its neighbour when no longer silence lies between them."""
BESIDE_CHARACTERS = 160
"""Characters of a neighbour that are shown."""
ALIKE = 0.8
"""Turns that share so much of their words say the same."""
_SENTENCE_END = re.compile(r"(?<=[.!?。！？\n])\s*")


@dataclass(frozen=True, slots=True)
class Found:
    """A hit with its place among the documents and those of the turns that may belong to it."""

    hit: Hit
    place: int
    beside: tuple[int, ...]

    @property
    def score(self) -> float:
        """Return how well it answers."""
        return self.hit.score


def found_at(hits: Iterable[Hit], documents: Documents, *, before: int) -> Sequence[Found]:
    """Return hits with what may belong to them, as far as it was said before the row."""
    open_ones = int(np.searchsorted(documents.ids, before))
    places = [(hit, int(np.searchsorted(documents.ids, hit.id))) for hit in hits]
    return [Found(hit, place, _beside(place, documents, open_ones)) for hit, place in places if place < open_ones]


def places_of(found: Iterable[Found]) -> Sequence[int]:
    """Return the places of all messages that may be shown."""
    return sorted({place for each in found for place in (each.place, *each.beside)})


class Excerpts:
    """Takes up turns as long as they fit the budget. What reads like an order or holds a secret does not come back."""

    def __init__(self, messages: Mapping[int, StoredMessage], tokens: TokenCounter, budget: int, border: Border | None = None) -> None:
        """Take the messages by their place, and what says which of them may be shown."""
        self._messages = messages
        self._tokens = tokens
        self._shown: dict[int, StoredMessage] = {}
        self._hits: dict[int, Hit] = {}
        self._left = budget
        self._border = border or Border()
        self._judged: dict[int, StoredMessage | None] = {}

    def spend(self, cost: int) -> bool:
        """Take tokens of the budget for something else; False when there are not that many left."""
        if cost > self._left:
            return False
        self._left -= cost
        return True

    def take(self, found: Found) -> bool:
        """Take a turn with what belongs to it, or at least the turn; False when that does not fit, or says what was said already."""
        hit = self._fit(found.place)
        if hit is None or self._is_told(found.place):
            return False
        whole = {found.place: hit}
        for wanted in (whole | self._beside(found, hit), whole):
            if self._makes_no_order(wanted) and self.spend(sum(self._cost(place, message) for place, message in wanted.items())):
                self._shown |= wanted
                self._hits[found.place] = found.hit
                return True
        return False

    def all(self) -> tuple[Excerpt, ...]:
        """Return the excerpts, oldest first; turns that follow each other stand in one."""
        places = sorted(self._shown)
        breaks = [at for at, (one, other) in enumerate(pairwise(places), 1) if other > one + 1 or not self._is_beside(one, other)]
        return tuple(self._excerpt(places[start:end]) for start, end in pairwise([0, *breaks, len(places)]) if start < end)

    def _is_told(self, place: int) -> bool:
        """Say whether another turn that is taken says nearly the same."""
        words = terms(self._messages[place].text)
        others = (terms(self._messages[other].text) for other in self._hits if other != place)
        return any(words and len(words & said) >= ALIKE * len(words | said) for said in others)

    def _fit(self, place: int) -> StoredMessage | None:
        """Return what may come back of a message; it is judged once, and only when it is wanted."""
        if place not in self._judged:
            message = self._messages.get(place)
            text = self._border.kept(message.text) if message else ""
            self._judged[place] = replace(message, text=text, author=safely_named(message.author)) if message and text else None
        return self._judged[place]

    def _makes_no_order(self, wanted: Mapping[int, StoredMessage]) -> bool:
        """Say whether no speaker's lines, put together, hold the pieces of an order."""
        told: dict[str, list[str]] = {}
        for _, message in sorted({**self._shown, **wanted}.items()):
            told.setdefault(message.author.id, []).append(message.text)
        return not any(map(self._border.makes_order, told.values()))

    def _beside(self, found: Found, hit: StoredMessage) -> dict[int, StoredMessage]:
        """Return what belongs to a turn and is not shown yet, cut short: the question that it answers, the answer to its question."""
        others = {place: fit for place in found.beside if (fit := self._fit(place)) is not None}
        belongs = [place for place, other in others.items() if _belong(*((hit, other) if place > found.place else (other, hit)))]
        return {place: _short(others[place]) for place in belongs if place not in self._shown}

    def _excerpt(self, places: Sequence[int]) -> Excerpt:
        best = max((self._hits[place] for place in places if place in self._hits), key=lambda hit: hit.score)
        return Excerpt(tuple(self._shown[place] for place in places), best.id, best.score, best.reason)

    def _is_beside(self, one: int, other: int) -> bool:
        return (self._shown[other].sent_at - self._shown[one].sent_at).total_seconds() <= BESIDE_SECONDS

    def _cost(self, place: int, message: StoredMessage) -> int:
        before = self._shown.get(place)
        return line_cost(message, self._tokens) - (line_cost(before, self._tokens) if before else 0)


def line_cost(message: StoredMessage, tokens: TokenCounter) -> int:
    """Return what a message takes in the prompt with its date and speaker."""
    return tokens.count(f"[{message.sent_at:%Y-%m-%d %H:%M}] {message.author.display_name}: {message.text}")


def asks(text: str) -> bool:
    """Say whether a sentence of a text asks something."""
    return any(is_asked(sentence) for sentence in _SENTENCE_END.split(text) if sentence.strip())


def _belong(earlier: StoredMessage, later: StoredMessage) -> bool:
    """Say whether one message goes with the one after it: the same person goes on, or it is an answer."""
    return earlier.author.id == later.author.id or asks(earlier.text)


def _short(message: StoredMessage) -> StoredMessage:
    return replace(message, text=one_line(message.text, BESIDE_CHARACTERS))


def _beside(place: int, documents: Documents, open_ones: int) -> tuple[int, ...]:
    """Return one place before, if somebody else speaks there, and one or two after; the second only while the same person goes on."""
    times, speakers = documents.times, documents.speakers
    near: list[int] = []
    if place and speakers[place - 1] != speakers[place] and times[place] - times[place - 1] <= BESIDE_SECONDS:
        near.append(place - 1)
    for after in (place + 1, place + 2):
        if after >= open_ones or times[after] - times[after - 1] > BESIDE_SECONDS:
            break
        near.append(after)
        if speakers[after] != speakers[place]:
            break
    return tuple(near)
