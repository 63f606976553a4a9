"""Which documents answer a question, the best first, and why each of them.

Scores are shares, not ranks: how much of the question a turn covers in words, and how far its meaning stands out. Who, when and what
sort of answer raise what fits. Age never lowers anything: of two that fit alike the newer stands first, and that is all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from bot.memory.search.grounds import Grounds, fits, grounds
from bot.memory.search.question import Question
from bot.memory.search.reasons import reason
from bot.memory.search.shared import Floats, Mask
from bot.memory.search.standing import Background, standings
from bot.ports.corpus import Documents, Likenesses, Postings

ENOUGH_WORDS = 0.2
"""A turn that covers one fifth of what a question is about has to do with it."""
_BESIDE_ANSWERS = 0.4
"""Where one has to do with it, others may have so much less."""
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
    alike = np.zeros(size, np.float32) if likenesses is None else standings(likenesses, background)
    found = grounds(question, documents, postings, alike, among)
    scores = _scores(question, found)
    order = scores + _newer(documents, found, now)
    passing = np.flatnonzero(_answers(question, found) & (found.places < among))
    best = passing[np.lexsort((-found.places[passing], -order[passing]))][:limit].tolist()
    return [Hit(int(documents.ids[found.places[at]]), float(scores[at]), reason(question, documents, found, at)) for at in best]


def _scores(question: Question, found: Grounds) -> Floats:
    """Return scores that are 1 for a turn for which everything speaks that the question leaves room for."""
    score = found.words + _SESSION * found.session + _LIKENESS * found.alike + _SPAN * found.in_span
    score += _SPEAKER * found.speaks + _CUE * found.has_cue - _PERSONA * (found.of_persona & ~found.speaks)
    most = 1 + _SESSION + _LIKENESS * bool(found.alike.any()) + _SPAN * (question.span is not None)
    most += _SPEAKER * (bool(question.speakers) or question.asks_persona) + _CUE * bool(question.cues)
    shares: Floats = np.clip(score / np.float32(most), 0, 1)
    return shares


def _answers(question: Question, found: Grounds) -> Mask:
    """Say which documents have to do with the question, in words, in meaning, or somewhat in both."""
    relevance: Floats = found.words / np.float32(ENOUGH_WORDS) + np.maximum(2 * found.alike - 1, 0)
    enough: Mask = relevance >= (_BESIDE_ANSWERS if relevance.max(initial=0) >= 1 else 1)
    return enough | fits(question, found.speaks, found.in_span) if question.is_bare and question.narrows else enough


def _newer(documents: Documents, found: Grounds, now: datetime) -> Floats:
    """Return a trifle that puts the newer of two like documents first."""
    age = np.maximum(now.timestamp() - documents.times[found.places], 0)
    trifles: Floats = (_NEWER * np.exp2(-age / _HALF_LIFE)).astype(np.float32)
    return trifles
