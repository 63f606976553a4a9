"""Which documents answer a question, the best first, and why each of them.

Scores are shares, not ranks: how much of the question a turn covers in words, and how far its meaning stands out. Who, when and what
sort of answer raise what fits. Age never lowers anything: of two that fit alike the newer stands first, and that is all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from bot.memory.search.grounds import Grounds, fits, grounds
from bot.memory.search.neighbours import Floats, Mask
from bot.memory.search.question import Question
from bot.memory.search.reasons import reason
from bot.memory.search.standing import Background, standings, unknown
from bot.ports.corpus import Documents, Likenesses, Postings

ENOUGH_WORDS = 0.25
"""A turn that covers a quarter of what a question is about, neighbours' words counted in part, has to do with it."""
ENOUGH_LIKENESS = 0.8
"""So has one whose meaning stands out by most of the usual distance between unrelated texts."""
_DOUBTED = 0.6
"""What shared words prove where the meaning is further off than that of unrelated texts."""
_BESIDE_THE_BEST = 1 / 3
"""Where one answers, others come along whose score is at least so much of the best one's."""
_LIKENESS = 0.5
"""Meaning that stands out as far as chance would reach counts half as much as all the words."""
_SPEAKER = 0.5
"""That the person asked about speaks is as good as half of the words: people tell about themselves."""
_SPAN = 0.3
_CUE = 0.2
_SESSION = 0.2
_PERSONA = 0.25
"""What a persona said is seldom what people ask for, and it is long."""
_NEWER = 0.01
_HALF_LIFE = 30 * 86400


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that answers. `score` is 0..1; `reason` is for people to read."""

    id: int
    score: float
    reason: str


def rank(
    question: Question,
    documents: Documents,
    postings: Mapping[str, Postings],
    likenesses: Likenesses | None,
    *,
    now: datetime,
    limit: int,
    before: int | None = None,
    background: Background | None = None,
) -> Sequence[Hit]:
    """Return the documents that answer a question, the best first; none when nothing has to do with it.

    Those from the id `before` on are no hits, but lend to their neighbours. Any part may be missing: words, vectors, or those of some.
    """
    size = len(documents.ids)
    among = size if before is None else int(np.searchsorted(documents.ids, before))
    if not among or limit < 1:
        return []
    found = grounds(question, documents, postings, standings(likenesses or unknown(size), background), among=among)
    scores = _scores(question, found)
    order = scores + _newer(documents, found, now)
    passing = np.flatnonzero(_answers(question, found, scores, among))
    best = passing[np.lexsort((-found.places[passing], -order[passing]))][:limit].tolist()
    return [Hit(int(documents.ids[found.places[at]]), float(scores[at]), reason(question, documents, found, at)) for at in best]


def _scores(question: Question, found: Grounds) -> Floats:
    """Return scores that are 1 for a turn for which everything speaks that the question leaves room for."""
    score = found.words + _SESSION * found.session + _LIKENESS * found.likely + _SPAN * found.in_span
    score += _SPEAKER * found.speaks + _CUE * found.has_cue - _PERSONA * (found.of_persona & ~found.speaks)
    most = 1 + _SESSION + _LIKENESS * bool(found.likely.any()) + _SPAN * (question.span is not None)
    most += _SPEAKER * (bool(question.speakers) or question.asks_persona) + _CUE * bool(question.cues)
    shares: Floats = np.clip(score / np.float32(most), 0, 1)
    return shares


def _answers(question: Question, found: Grounds, scores: Floats, among: int) -> Mask:
    """Say which documents answer: none unless something has to do with the question, in words, in meaning, or somewhat in both."""
    open_ones: Mask = found.places < among
    if question.is_bare and question.narrows:
        return open_ones & fits(question, found.speaks, found.in_span)
    words = found.words / np.float32(ENOUGH_WORDS) * np.where(found.alike < 0, np.float32(_DOUBTED), np.float32(1))
    relevance: Floats = words + np.maximum(2 * found.alike / np.float32(ENOUGH_LIKENESS) - 1, 0)
    if relevance.max(initial=0, where=open_ones) < 1:
        return np.zeros(len(scores), np.bool_)
    near_the_best: Mask = scores >= _BESIDE_THE_BEST * scores.max(initial=0, where=open_ones)
    # Who says something, and when, is not enough by itself.
    return open_ones & near_the_best & ((found.words > 0) | (found.likely > 0))


def _newer(documents: Documents, found: Grounds, now: datetime) -> Floats:
    """Return a trifle that puts the newer of two like documents first."""
    age = np.maximum(now.timestamp() - documents.times[found.places], 0)
    trifles: Floats = (_NEWER * np.exp2(-age / _HALF_LIFE)).astype(np.float32)
    return trifles
