"""What documents share with a question in words, and what neighbours lend each other."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bot.domain.terms import grammar_share
from bot.memory.search.neighbours import REACH, Bonds, Floats, Mask, Places, bonds, sessions, with_lent
from bot.memory.search.question import Question
from bot.ports.corpus import Documents, Postings

_SATURATION = 0.6
"""BM25's k1. Turns are short: a word said twice says little more than one said once."""
_LENGTH = 0.75
"""BM25's b. Long answers of the persona hold many words by chance."""
_FORM = 0.8
"""What another form of a word counts."""
_CARRYING = 6
"""So many of a question's weightiest terms make it up; a message of many words need not be matched as a whole."""
_CROWD = 20_000
"""Documents that are weighed. Beyond them, words that stand nearly everywhere find none, and only count where others have found."""
_LEND_WORD = (0.5, 0.25)
"""The share of a word that the turns at one and at two places from it are credited with: a question and its answer share words."""


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """The documents that are weighed, as places, and what each shares with the question."""

    places: Places
    index: Places
    """For each document its index in `places`, where it is weighed."""
    weighed: Mask
    """Which documents are weighed."""
    terms: tuple[str, ...]
    """The question's terms that stand anywhere."""
    own: Floats
    """A row a term: what a document shares by itself."""
    total: Floats
    """The share of the question that a document covers, with what neighbours lend; 1 is all of it, in a turn of usual length."""
    session: Floats
    """The share that the document's session covers as a whole."""


def shared(question: Question, documents: Documents, postings: Mapping[str, Postings], seeds: Places) -> Shared:
    """Return what the documents share with a question that have one of its words, lie beside one that has, or are seeds."""
    size = len(documents.ids)
    groups = [group for group in _groups(question, postings, size) if group.members]
    ideal = _ideal(question, postings, size)
    weighed = _weighed(groups, size, seeds)
    places, index = np.flatnonzero(weighed), np.cumsum(weighed) - 1
    norms = _norms(documents)
    own = np.zeros((len(groups), len(places)), np.float32)
    for row, group in zip(own, groups, strict=True):
        for posting, weight in group.members:
            inside = posting.places if len(groups) == 1 else posting.places[weighed[posting.places]]
            counts = posting.counts if len(inside) == len(posting.places) else posting.counts[weighed[posting.places]]
            value = np.float32(weight * (_SATURATION + 1) / ideal) * counts / (counts + norms[inside])
            at = index[inside]
            row[at] = np.maximum(row[at], value)
    numbers = sessions(documents)[places]
    near = bonds(places, numbers, documents.of_persona[places])
    total = _summed(own, near)
    return Shared(places, index, weighed, tuple(group.term for group in groups), own, total, _by_session(own, numbers))


@dataclass(frozen=True, slots=True)
class _Group:
    """A term of the question with its other forms, as far as they stand anywhere."""

    term: str
    members: tuple[tuple[Postings, float], ...]
    having: int


def _groups(question: Question, postings: Mapping[str, Postings], size: int) -> Sequence[_Group]:
    forms: dict[str, list[str]] = {term: [] for term in question.terms}
    for form, term in question.forms.items():
        forms[term].append(form)
    found = []
    for term, weight in question.terms.items():
        members = [(term, weight), *((form, weight * _FORM) for form in forms[term])]
        present = [(postings[name], worth * _rarity(name, len(postings[name].places), size)) for name, worth in members if name in postings]
        having = max((len(posting.places) for posting, _ in present), default=0)
        found.append(_Group(term, tuple(present), having))
    return found


def _rarity(term: str, having: int, size: int) -> float:
    return math.log(1 + (size - having + 0.5) / (having + 0.5)) * grammar_share(term)


def _ideal(question: Question, postings: Mapping[str, Postings], size: int) -> float:
    """Return what a document would score that has all that matters."""
    worths = (
        weight * _rarity(group.term, group.having, size)
        for group, weight in zip(_groups(question, postings, size), question.terms.values(), strict=True)
    )
    return sum(sorted(worths, reverse=True)[:_CARRYING]) or 1.0


def _weighed(groups: Sequence[_Group], size: int, seeds: Places) -> Mask:
    """Return which documents are weighed: those with the rarer words first, with their neighbours."""
    found = np.zeros(size, np.bool_)
    crowd = 0
    for group in sorted(groups, key=lambda group: group.having):
        if crowd and crowd + group.having > _CROWD:
            break
        crowd += group.having
        for posting, _ in group.members:
            found[posting.places] = True
    near = found.copy()
    for distance in range(1, REACH + 1):
        near[distance:] |= found[:-distance]
        near[:-distance] |= found[distance:]
    near[seeds] = True
    return near


def _norms(documents: Documents) -> Floats:
    """Return what a document's length takes from its words, by the usual length of people's turns."""
    people = documents.lengths[~documents.of_persona]
    usual = float(people.mean()) if len(people) else float(documents.lengths.mean())
    return (_SATURATION * (1 - _LENGTH + _LENGTH * documents.lengths / max(usual, 1.0))).astype(np.float32)


def _summed(own: Floats, near: Bonds) -> Floats:
    """Return the sum of the terms, each the best of what a document has and what its neighbours lend; then of these sums too."""
    credited = own.copy()
    for distance, (bond, share) in enumerate(zip(near, _LEND_WORD, strict=True), 1):
        factor = bond * np.float32(share)
        np.maximum(credited[:, distance:], own[:, :-distance] * factor, out=credited[:, distance:])
        np.maximum(credited[:, :-distance], own[:, distance:] * factor, out=credited[:, :-distance])
    return with_lent(credited.sum(0), near)


def _by_session(own: Floats, numbers: Places) -> Floats:
    if not own.size:
        return np.zeros(own.shape[1], np.float32)
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
    best = np.maximum.reduceat(own, starts, axis=1).sum(0)
    every: Floats = np.repeat(best, np.diff(starts, append=len(numbers)))
    return every
