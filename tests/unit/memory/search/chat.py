"""A conversation as arrays, for the tests of search."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from bot.domain.message import Person
from bot.domain.terms import term_counts
from bot.memory.search.question import Question, asked
from bot.memory.search.ranking import Hit, rank
from bot.memory.search.standing import Background
from bot.ports.corpus import Documents, Likenesses, Postings

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
"""A Wednesday."""
ANA, BOB = Person("1", "Ana"), Person("2", "Bob Miller")
BAKU = Person("9", "Baku", is_bot=True)
UNRELATED = Background(mean=0.1, spread=0.1)


@dataclass(slots=True)
class Chat:
    """Turns, a minute apart unless said otherwise, the last one at `NOW`."""

    turns: list[tuple[datetime, Person, str]] = field(default_factory=list)

    def say(self, person: Person, text: str, *, ago: timedelta | None = None) -> int:
        """Add a turn and return its id."""
        last = self.turns[-1][0] if self.turns else NOW - timedelta(hours=2)
        self.turns.append((last + timedelta(minutes=1) if ago is None else NOW - ago, person, text))
        return len(self.turns)

    @property
    def documents(self) -> Documents:
        """Return the turns as search reads them."""
        people = list(dict.fromkeys(person for _, person, _ in self.turns))
        return Documents(
            ids=np.arange(1, len(self.turns) + 1, dtype=np.int64),
            times=np.array([int(at.timestamp()) for at, _, _ in self.turns], dtype=np.int64),
            speakers=np.array([people.index(person) for _, person, _ in self.turns], dtype=np.int32),
            lengths=np.array([term_counts(text).total() for _, _, text in self.turns], dtype=np.int32),
            of_persona=np.array([person.is_bot for _, person, _ in self.turns], dtype=np.bool_),
            people=tuple(people),
        )

    @property
    def postings(self) -> Mapping[str, Postings]:
        """Return where each term stands."""
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, (_, _, text) in enumerate(self.turns):
            for term, count in term_counts(text).items():
                found[term].append((place, count))
        return {
            term: Postings(np.array([place for place, _ in stands]), np.array([count for _, count in stands], dtype=np.int32))
            for term, stands in found.items()
        }

    def question(self, text: str, *, asker: str = "") -> Question:
        """Return a question about the chat."""
        return asked(text, now=NOW, zone=UTC, people=self.documents.people, asker=asker)

    def hits(
        self,
        text: str | Question,
        *,
        likenesses: Likenesses | None = None,
        background: Background | None = UNRELATED,
        before: int | None = None,
        limit: int = 10,
    ) -> Sequence[Hit]:
        """Return what answers a question."""
        question = self.question(text) if isinstance(text, str) else text
        postings = {term: found for term, found in self.postings.items() if term in question.wanted}
        return rank(question, self.documents, postings, likenesses, now=NOW, limit=limit, before=before, background=background)

    def ids(self, text: str, *, before: int | None = None, limit: int = 10) -> list[int]:
        """Return the ids of the hits by words alone."""
        return [hit.id for hit in self.hits(text, before=before, limit=limit)]


def alike(size: int, values: Mapping[int, float], *, known: bool = True) -> Likenesses:
    """Return likenesses of so many turns: these by id, and 0.1 for the others."""
    cosines = np.full(size, 0.1, dtype=np.float32)
    for id_, value in values.items():
        cosines[id_ - 1] = value
    return Likenesses(cosines, np.full(size, known))


def only(likenesses: Likenesses, ids: Sequence[int]) -> Likenesses:
    """Return likenesses that are known for these turns alone."""
    known = np.isin(np.arange(1, len(likenesses.cosines) + 1), ids)
    return replace(likenesses, cosines=np.where(known, likenesses.cosines, np.float32(0)), known=known)
