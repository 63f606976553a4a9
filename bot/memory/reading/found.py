"""Searching what was said and the structured memories for what a message asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from bot.domain.chat import ConversationKey
from bot.domain.past import CorpusKey, CorpusKind, EntityFacts, Excerpt, RecalledStructured, StructuredMemory
from bot.memory.gate.border import Border
from bot.memory.reading.excerpts import Excerpts, Found, asks, found_at, places_of
from bot.memory.reading.meaning import Sense
from bot.memory.search.question import Question, expanded
from bot.memory.search.ranking import Hit, rank
from bot.ports.corpus import Documents, Likenesses, Postings
from bot.ports.store import Transaction
from bot.ports.tokens import TokenCounter

ALIAS_WEIGHT = 0.5
"""What another name of a thing counts in a search."""
MOST_STRUCTURED = 2
"""Structured memories that come back for a message."""
BESIDE_BEST = 0.6
"""What is worth less than this of the best hit is left out: most of it stood only near something that fits."""
STATEMENT_SCORE = 0.6
"""A message that asks nothing brings back only what has much to do with it."""
STATEMENT_SHARE = 3
"""It may fill one in so many of the tokens, and of the places, that a question may."""
SPARE = 2
"""So many times more are looked at than are shown: some do not fit, some lie in one excerpt."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search of one conversation's past before an answer."""

    tx: Transaction
    conversation: ConversationKey
    question: Question
    sense: Sense | None
    now: datetime
    before: int
    """The first row that is not searched: it stands in the history."""
    asked_in: int
    """The first row of the turn. What is asked now, and whatever came since, says nothing about the past."""
    border: Border
    """Says what may come back."""

    async def hits(self, kind: CorpusKind, *, limit: int) -> tuple[Sequence[Hit], Documents]:
        """Return the best documents of a kind, and all of them."""
        key, corpora = CorpusKey(self.conversation, kind), self.tx.corpora
        documents = await corpora.documents(key)
        postings = await corpora.postings(key, self.question.wanted)
        sense = self.sense
        likenesses = None if sense is None else await corpora.likenesses(key, sense.vector, embedder=sense.embedder)
        if kind is CorpusKind.TURNS:
            documents, postings, likenesses = _until(self.asked_in, documents, postings, likenesses)
        hits = rank(
            self.question,
            documents,
            postings,
            likenesses,
            now=self.now,
            limit=limit,
            before=self.before if kind is CorpusKind.TURNS else None,
            background=sense.background if sense else None,
        )
        return hits, documents


def _until(
    row: int, documents: Documents, postings: Mapping[str, Postings], likenesses: Likenesses | None
) -> tuple[Documents, Mapping[str, Postings], Likenesses | None]:
    """Return the documents before a row, and what is known of them."""
    end = int(np.searchsorted(documents.ids, row))
    if end == len(documents.ids):
        return documents, postings, likenesses
    cut = Documents(
        documents.ids[:end],
        documents.times[:end],
        documents.speakers[:end],
        documents.lengths[:end],
        documents.of_persona[:end],
        documents.people,
    )
    ends = {term: int(np.searchsorted(posting.places, end)) for term, posting in postings.items()}
    kept = {term: Postings(postings[term].places[:at], postings[term].counts[:at]) for term, at in ends.items() if at}
    return cut, kept, likenesses and Likenesses(likenesses.cosines[:end], likenesses.known[:end])


def widened(question: Question, entities: Sequence[EntityFacts], near: Mapping[str, float]) -> Question:
    """Return a question in which other names of what it names take part, and names that are related to them, by their weight."""
    aliases = {alias: ALIAS_WEIGHT for facts in entities for alias in (facts.name, *facts.aliases)}
    return expanded(question, {**near, **aliases})


async def come_back(
    search: Search, tokens: TokenCounter, *, budget: int, most: int
) -> tuple[tuple[Excerpt, ...], tuple[RecalledStructured, ...]]:
    """Return excerpts of what was said and structured memories that fit the budget, each kind in the order of time.

    The best are taken first. What does not fit is skipped, and shuts out nothing behind it.
    """
    least = 0.0
    if not asks(search.question.text):
        least, budget, most = STATEMENT_SCORE, budget // STATEMENT_SHARE, -(-most // STATEMENT_SHARE)
    found, excerpts = await _turns(search, tokens, budget, limit=SPARE * most)
    structured: list[RecalledStructured] = []
    hits: list[Found | RecalledStructured] = [*found, *await _structured(search)]
    least = max(least, BESIDE_BEST * max(map(_score, hits), default=0.0))
    taken = 0
    for hit in sorted((hit for hit in hits if hit.score >= least), key=_score, reverse=True):
        match hit:
            case Found():
                taken += taken < most and excerpts.take(hit)
            case RecalledStructured(memory):
                if excerpts.spend(tokens.count(f"[{memory.at:%Y-%m-%d}] {memory.title}: {memory.summary}")):
                    structured.append(hit)
    return excerpts.all(), tuple(sorted(structured, key=lambda hit: hit.memory.at))


async def _turns(search: Search, tokens: TokenCounter, budget: int, *, limit: int) -> tuple[Sequence[Found], Excerpts]:
    """Return the turns that were found, and where to put them: with the messages read that may be shown."""
    hits, documents = await search.hits(CorpusKind.TURNS, limit=limit)
    found = found_at(hits, documents, before=search.before)
    places = places_of(found)
    rows = {place: int(documents.ids[place]) for place in places}
    told = {message.id: message for message in await search.tx.messages.several(search.conversation, list(rows.values()))}
    return found, Excerpts({place: told[row] for place, row in rows.items() if row in told}, tokens, budget, search.border)


async def _structured(search: Search) -> Sequence[RecalledStructured]:
    """Return structured memories that answer, without those of which all stands in the history."""
    hits, _ = await search.hits(CorpusKind.STRUCTURED, limit=SPARE * MOST_STRUCTURED)
    by_id = {memory.id: memory for memory in await search.tx.pasts.structured(search.conversation, [hit.id for hit in hits])}
    told = [RecalledStructured(_shown(by_id[hit.id], search.border), hit.score, hit.reason) for hit in hits if hit.id in by_id]
    return [hit for hit in told if hit.memory.first_row < search.before and hit.memory.summary][:MOST_STRUCTURED]


def _shown(memory: StructuredMemory, border: Border) -> StructuredMemory:
    """Return a structured memory as it may come back: it may have been written when the rules were others."""
    return replace(memory, title=border.kept(memory.title), summary=border.kept(memory.summary))


def _score(hit: Found | RecalledStructured) -> float:
    return hit.score
