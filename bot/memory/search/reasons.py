"""Why a document came back, in words."""

from bot.memory.search.grounds import Grounds
from bot.memory.search.question import Question
from bot.ports.corpus import Documents

ALIKE, BESIDE = "means something similar", "next to another hit"
WORD, WORDS, SAID_BY = "shares the word ", "shares the words ", "said by "
"""Reasons are kept like that; who shows them knows these parts."""
_MANY = 5
"""So many shared words are named."""
_STANDS_OUT = 0.8


def reason(question: Question, documents: Documents, grounds: Grounds, at: int) -> str:
    """Return what counted for a document, such as `shares the words mochi, marathon; said by Ana; in May 2026`."""
    told = [_words(question, grounds, at)]
    if grounds.alike[at] >= _STANDS_OUT:
        told.append(ALIKE)
    if grounds.speaks[at]:
        told.append(f"{SAID_BY}{documents.people[documents.speakers[grounds.places[at]]].display_name}")
    if question.span and grounds.in_span[at] == 1:
        told.append(question.span.label)
    return "; ".join(part for part in told if part) or BESIDE


def _words(question: Question, grounds: Grounds, at: int) -> str:
    shares = grounds.own[:, at]
    best = sorted((-share, term) for share, term in zip(shares.tolist(), grounds.terms, strict=True) if share > 0)
    words = list(dict.fromkeys(question.words.get(term, term) for _, term in best))[:_MANY]
    if not words:
        return ""
    return (WORDS if len(words) > 1 else WORD) + ", ".join(words)
