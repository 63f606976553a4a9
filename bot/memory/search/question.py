"""A question, taken apart: what it is about, of whom, of when, and what sort of answer it wants."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta, tzinfo
from functools import cache

from bot.domain.message import Person
from bot.domain.terms import term_counts, terms
from bot.memory.search.forms import OTHER_FORMS
from bot.memory.search.kinds import QuestionKind, cues, kind_of
from bot.memory.search.languages import TALKING, Language, asks_openly, language, without_asking, without_question
from bot.memory.search.people import Named, in_first_person, named, without_names
from bot.memory.search.timing import Dated, Period, dated

MINOR = 0.25
"""The weight of a name, a date, or a word about talking: who and when narrow by themselves, so as words they are hints only."""

_WORD = re.compile(r"[^\W_]+")
_ASKS_PERSONA = re.compile(
    r"\b(?:did|have|had) you (?:ever |just |already )?"
    r"(?:say|said|tell|told|recommend|suggest|mention|promise|write|written|answer)(?:e?d)?\b"
    r"|\byou (?:said|told|recommended|suggested|mentioned|promised|wrote|answered)\b"
    r"|\bhast du (?:\w+ )*(?:gesagt|erzählt|empfohlen|vorgeschlagen|erwähnt)\b|\b(?:dijiste|recomendaste|mencionaste|contaste)\b",
    re.IGNORECASE,
)
_ASKS_SELF = re.compile(r"\b(?:i|i['’](?:m|ve|d)|my|me|mine|ich|mein\w*|mir|yo|mi|mis|je|mon|ma|mes)\b|私|僕|俺|我", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seconds:
    """A stretch of time, in seconds since 1970, up to and without `end`."""

    start: int
    end: int
    label: str
    """Such as `in May 2026`."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for in a conversation's past."""

    text: str
    terms: Mapping[str, float]
    """What it is about, and how much each term matters (0..1)."""
    statement: str = ""
    """The question as the person it asks about might have said it: what an embedder finds best."""
    forms: Mapping[str, str] = field(default_factory=dict)
    """Other forms of the terms, each with the term it stands for."""
    words: Mapping[str, str] = field(default_factory=dict)
    """How people wrote the terms."""
    kind: QuestionKind = QuestionKind.OTHER
    cues: frozenset[str] = frozenset()
    """Terms that answers of that kind often hold."""
    speakers: frozenset[str] = frozenset()
    """Ids of the people whom it asks about."""
    asks_persona: bool = False
    """Whether it asks for what the persona said."""
    span: Seconds | None = None
    """The time it asks about."""
    is_bare: bool = False
    """Whether it asks for all that people or times stand for, as "what did Ana say last Tuesday?" does."""

    @property
    def narrows(self) -> bool:
        """Say whether it asks about a time, about people, or about the persona."""
        return bool(self.speakers or self.span or self.asks_persona)

    @property
    def wanted(self) -> frozenset[str]:
        """Return the terms whose postings are needed."""
        return frozenset({*self.terms, *self.forms, *self.cues})


def asked(text: str, *, now: datetime, zone: tzinfo, people: Sequence[Person], asker: str = "") -> Question:
    """Return a question, taken apart. `people` are those who speak in the conversation, `asker` is the id of who asks."""
    dates = dated(text, now.astimezone(zone).date())
    tongue, kind = language(text), kind_of(text)
    those = named(text, people) if kind is not QuestionKind.WHO_SAID else []
    weights = _weights(text, dates, those, tongue)
    return Question(
        text=text,
        terms=weights,
        statement=in_first_person(without_question(text), those, tongue),
        forms={form: term for term in weights for form in sorted(OTHER_FORMS.get(term, ())) if form not in weights},
        words=_words(text),
        kind=kind,
        cues=cues(kind),
        speakers=frozenset(one.person.id for one in those) or _self(text, asker, people),
        asks_persona=_ASKS_PERSONA.search(text) is not None,
        span=_seconds(dates.period, zone),
        is_bare=asks_openly(text) and not any(weight > MINOR for weight in weights.values()),
    )


def expanded(question: Question, weights: Mapping[str, float]) -> Question:
    """Return a question that these words take part in too, each by its weight; what it has already keeps its own.

    Keys may be words as people write them, such as an alias.
    """
    more = {term: weight for words, weight in weights.items() for term in sorted(terms(words)) if term not in question.terms}
    written = {term: word for words in weights for term, word in _words(words).items()}
    return replace(question, terms={**question.terms, **more}, words={**written, **question.words})


def _weights(text: str, dates: Dated, those: Iterable[Named], tongue: Language) -> Mapping[str, float]:
    """Return the terms of a question with their weights."""
    ignored = _ignored(tongue)
    matter = term_counts(without_asking(without_names(dates.rest, those)))
    all_of_it = term_counts(without_asking(text))
    minor = {term for term in all_of_it if term not in matter or term in TALKING}
    weights = {term: MINOR if term in minor else 1.0 for term in all_of_it}
    return {term: weight for term, weight in weights.items() if term not in ignored} or weights


@cache
def _ignored(tongue: Language) -> frozenset[str]:
    return frozenset(term for word in tongue.function_words for term in terms(word))


def _self(text: str, asker: str, people: Iterable[Person]) -> frozenset[str]:
    """Return who asks, when the question is about that person and they have spoken here."""
    known = asker and any(person.id == asker for person in people)
    return frozenset([asker]) if known and _ASKS_SELF.search(text) and not _ASKS_PERSONA.search(text) else frozenset()


def _seconds(period: Period | None, zone: tzinfo) -> Seconds | None:
    if period is None:
        return None
    start = datetime.combine(period.first, time(), zone)
    end = datetime.combine(period.last + timedelta(days=1), time(), zone)
    return Seconds(int(start.timestamp()), int(end.timestamp()), period.label)


def _words(text: str) -> dict[str, str]:
    """Return how the terms of a text stand there, for those that are whole words."""
    found = ((word, terms(word)) for word in dict.fromkeys(_WORD.findall(text)))
    return {next(iter(having)): word for word, having in found if len(having) == 1}
