"""What speaks for each document: words, meaning, who says it, when, and what sort of answer it holds."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bot.memory.search.neighbours import Floats, Mask, Places, bonds, sessions, with_lent
from bot.memory.search.question import Question
from bot.memory.search.shared import Shared, shared
from bot.memory.search.standing import Standings
from bot.ports.corpus import Documents, Postings

_AROUND = 7 * 86400
"""What happened is told within days."""
_NEARLY = 0.5
"""What a turn around the time that is asked about counts, against one of that time."""
_ALIKE = 64
"""So many documents are weighed for their meaning alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Grounds:
    """A value for each document that is weighed, in the order of `places`."""

    places: Places
    terms: tuple[str, ...]
    own: Floats
    """What each shares by itself, a row a term."""
    words: Floats
    session: Floats
    alike: Floats
    """How far its meaning stands out from unrelated ones."""
    likely: Floats
    """How far it stands out in this conversation, with what neighbours lend."""
    speaks: Mask
    in_span: Floats
    has_cue: Mask
    of_persona: Mask


def grounds(question: Question, documents: Documents, postings: Mapping[str, Postings], standings: Standings, *, among: int) -> Grounds:
    """Return what speaks for the documents that can answer; seeds are looked for among the first so many."""
    likely = _with_neighbours(documents, standings.among_these)
    found = shared(question, documents, postings, _seeds(question, documents, likely, among))
    return Grounds(
        places=found.places,
        terms=found.terms,
        own=found.own,
        words=found.total,
        session=found.session,
        alike=standings.among_all[found.places],
        likely=likely[found.places],
        speaks=_speaks(question, documents, found.places),
        in_span=_in_span(question, documents, found.places),
        has_cue=_has_cue(question, postings, found),
        of_persona=documents.of_persona[found.places],
    )


def _seeds(question: Question, documents: Documents, likely: Floats, among: int) -> Places:
    """Return documents that need no word of the question: whose meaning is nearest, or all that a question without a matter asks for."""
    everything = np.arange(among)
    if question.is_bare and question.narrows:
        return np.flatnonzero(fits(question, _speaks(question, documents, everything), _in_span(question, documents, everything)))
    nearest = everything if among <= _ALIKE else np.argpartition(likely[:among], among - _ALIKE)[among - _ALIKE :]
    return nearest[likely[nearest] > 0]


def _with_neighbours(documents: Documents, values: Floats) -> Floats:
    """Return values with what neighbours lend, who never take anything away."""
    if not values.any():
        return values
    lending = np.maximum(values, 0)
    lent = with_lent(lending, bonds(np.arange(len(values)), sessions(documents), documents.of_persona)) - lending
    return values + lent


def fits(question: Question, speaks: Mask, in_span: Floats) -> Mask:
    """Say which documents are of the person and of the time that a question asks about."""
    right_person = speaks | np.bool_(not (question.speakers or question.asks_persona))
    right_time: Mask = (in_span == 1) | np.bool_(question.span is None)
    return right_person & right_time


def _speaks(question: Question, documents: Documents, places: Places) -> Mask:
    speakers = [number for number, person in enumerate(documents.people) if person.id in question.speakers]
    found: Mask = np.isin(documents.speakers[places], speakers) if speakers else np.zeros(len(places), np.bool_)
    return found | documents.of_persona[places] if question.asks_persona else found


def _in_span(question: Question, documents: Documents, places: Places) -> Floats:
    if question.span is None:
        return np.zeros(len(places), np.float32)
    times = documents.times[places]
    inside = (times >= question.span.start) & (times < question.span.end)
    around = (times >= question.span.start - _AROUND) & (times < question.span.end + _AROUND)
    return np.where(inside, np.float32(1), np.where(around, np.float32(_NEARLY), np.float32(0)))


def _has_cue(question: Question, postings: Mapping[str, Postings], found: Shared) -> Mask:
    marked = np.zeros(len(found.weighed), np.bool_)
    for term in question.cues & postings.keys():
        marked[postings[term].places] = True
    return marked[found.places]
