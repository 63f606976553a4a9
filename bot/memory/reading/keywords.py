"""Searching a conversation's past by keywords that somebody has chosen: any of them, whatever they hold."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from itertools import islice

import structlog

from bot.domain.chat import ConversationKey
from bot.domain.past import CorpusKey, CorpusKind
from bot.domain.steps import MOST_KEYWORDS, NOTHING_FOUND, Step
from bot.domain.terms import terms, weight
from bot.memory.gate.border import Border
from bot.ports.corpus import Postings
from bot.ports.store import Transaction

RECENT_GAIN = 1.5
RECENT_DAYS = 100.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """A text that has one of the keywords."""

    text: str
    at: datetime
    score: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where and how to search. Messages from the row `before` on are left out: they stand in the prompt."""

    conversation: ConversationKey
    step: Step
    now: datetime
    before: int | None = None
    border: Border = field(default_factory=Border)
    """Says what may come back."""


async def keyword_search(tx: Transaction, wanted: Wanted) -> Sequence[Found]:
    """Return what has at least one of the keywords and may come back, the best first, at most as many as the step says."""
    keywords = keywords_of(wanted.step.keywords)
    found = [hit for kind in CorpusKind for hit in await _found(tx, wanted, kind, keywords)]
    best = sorted(found, key=lambda hit: (hit.score, hit.at), reverse=True)
    shown = (replace(hit, text=text) for hit in best if (text := wanted.border.kept(hit.text)))
    return list(islice(shown, wanted.step.limit))


def found_text(found: Sequence[Found], *, dates: bool, zone: tzinfo = UTC) -> str:
    """Return what was found, one a line, each behind its day if that is wished; or that nothing was."""
    days = [f"[{hit.at.astimezone(zone):%Y-%m-%d}] " if dates else "" for hit in found]
    return "\n".join(day + hit.text for day, hit in zip(days, found, strict=True)) or NOTHING_FOUND


def keywords_of(text: str) -> Sequence[frozenset[str]]:
    """Return the terms of each keyword; those that say nothing, and those beyond the sixtieth, are left out."""
    keywords = [keyword for keyword in text.split(";") if keyword.strip()]
    if len(keywords) > MOST_KEYWORDS:
        log.warning("keywords_ignored", given=len(keywords), most=MOST_KEYWORDS)
    return [found for keyword in keywords[:MOST_KEYWORDS] if (found := terms(keyword))]


def recency_gain(at: datetime, now: datetime) -> float:
    """Return by what a score is multiplied where newer hits are to come first: 2.5 for today, near 1 for a year ago."""
    days = max((now - at).total_seconds(), 0.0) / 86_400
    return 1 + RECENT_GAIN * math.exp(-days / RECENT_DAYS)


async def _found(tx: Transaction, wanted: Wanted, kind: CorpusKind, keywords: Sequence[frozenset[str]]) -> Sequence[Found]:
    key = CorpusKey(wanted.conversation, kind)
    documents = await tx.corpora.documents(key)
    postings = await tx.corpora.postings(key, frozenset().union(*keywords))
    scores = _scores(keywords, postings, len(documents.ids))
    best = sorted(scores, key=lambda place: (scores[place], place), reverse=True)
    # Recency may bring forward what others precede by half.
    places = best if wanted.step.recency else best[: 4 * wanted.step.limit]
    times = {int(documents.ids[place]): documents.times[place] for place in places}
    texts = await _texts(tx, wanted, kind, list(times))
    found = []
    for place in places:
        row = int(documents.ids[place])
        if row in texts:
            at = datetime.fromtimestamp(int(times[row]), UTC)
            gain = recency_gain(at, wanted.now) if wanted.step.recency else 1.0
            found.append(Found(texts[row], at, scores[place] * gain))
    return found


def _scores(keywords: Sequence[frozenset[str]], postings: Mapping[str, Postings], total: int) -> dict[int, float]:
    """Return the scores of the places that have all terms of at least one keyword."""
    scores: dict[int, float] = {}
    for keyword in keywords:
        if not all(term in postings for term in keyword):
            continue
        common = set.intersection(*(set(postings[term].places.tolist()) for term in keyword))
        worth = max(weight(term, having=len(postings[term].places), total=total) for term in keyword)
        for place in common:
            scores[place] = scores.get(place, 0.0) + worth
    return scores


async def _texts(tx: Transaction, wanted: Wanted, kind: CorpusKind, ids: Sequence[int]) -> Mapping[int, str]:
    match kind:
        case CorpusKind.TURNS:
            rows = [row for row in ids if wanted.before is None or row < wanted.before]
            return {message.id: message.text for message in await tx.messages.several(wanted.conversation, rows)}
        case CorpusKind.STRUCTURED:
            memories = await tx.pasts.structured(wanted.conversation, ids)
            return {memory.id: f"{memory.title}: {memory.summary}" for memory in memories}
