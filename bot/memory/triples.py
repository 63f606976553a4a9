"""Claims that a model proposes, kept only where the message says so."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

import structlog

from bot.domain.claim import PREDICATES, SPEAKER, Claim, is_asked, is_denied, is_supposed, predicate_of
from bot.domain.entity import name_key
from bot.domain.message import StoredMessage
from bot.domain.past import Relation
from bot.memory.entities import speaks_of_self
from bot.memory.graph import relations_of

MOST_TRIPLES = 12
"""Lines of one answer that are read."""
_LONGEST = 60
_SPEAKER_WORDS = frozenset(("i", "me", "speaker", "the speaker", "user", "the user", "author"))
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_LINE = re.compile(r"^\s*(?:[-*]|\d+[.)])?\s*(?P<parts>[^|\n]+(?:\|[^|\n]+){2,3})\|?\s*$", re.MULTILINE)

log = structlog.get_logger(__name__)


def triples_prompt() -> str:
    """Return how a model is to write down what a message says of people and things, and with which words."""
    return (
        "Write down lasting facts that the message itself states about people, places and things, one a line:\n"
        "subject | predicate | object\n"
        "Use SPEAKER for whoever wrote the message. Use names and words exactly as the message has them.\n"
        "Add | past when it is no longer so.\n"
        f"Predicates: {', '.join(sorted(PREDICATES))}, favourite_food and the like, or another short snake_case verb.\n"
        "Leave out questions, wishes, guesses, jokes and what others are quoted with. If there is nothing, write NONE."
    )


def parsed_triples(answer: str) -> Sequence[Claim]:
    """Return the claims in a model's answer, not checked yet; lines of another form are left out."""
    claims = (_claim([part.strip().strip("\"'`“”") for part in line["parts"].split("|")]) for line in _LINE.finditer(answer))
    return [claim for claim in claims if claim is not None][:MOST_TRIPLES]


def grounded(triples: Iterable[Claim], message: StoredMessage) -> Sequence[Relation]:
    """Return as relations what the message states; the rest is dropped, and the reasons are counted in the log."""
    kept: list[Claim] = []
    reasons: Counter[str] = Counter()
    for triple in triples:
        sentence, reason = _source(triple, message)
        if reason:
            reasons[reason] += 1
        else:
            kept.append(Claim(triple.subject, triple.predicate, triple.object, sentence, triple.holds))
    if reasons:
        log.info("triples_dropped", kept=len(kept), **reasons)
    return relations_of(kept, message)


def _claim(parts: Sequence[str]) -> Claim | None:
    subject, word, thing = (SPEAKER if part.lower() in _SPEAKER_WORDS else part for part in parts[:3])
    predicate = predicate_of(word)
    if predicate is None or subject == thing or max(len(subject), len(thing)) > _LONGEST:
        return None
    return Claim(subject, predicate, thing, "", holds=len(parts) < 4 or parts[3].lower() not in {"past", "ended", "no longer"})


def _source(triple: Claim, message: StoredMessage) -> tuple[str, str]:
    """Return the sentence that states a triple, or why there is none."""
    reason = "not_in_the_message"
    for sentence in filter(None, map(str.strip, chain(_SENTENCE_END.split(message.text)))):
        if not (_stands_in(triple.subject, sentence, message) and _stands_in(triple.object, sentence, message)):
            continue
        if sentence.startswith(">"):
            reason = "quoted"
        elif is_asked(sentence) or is_supposed(sentence):
            reason = "not_stated"
        elif is_denied(sentence) and triple.holds and triple.predicate not in {"dislikes", "hates"}:
            reason = "denied"
        else:
            return sentence, ""
    return "", reason


def _stands_in(name: str, sentence: str, message: StoredMessage) -> bool:
    """Say whether a name stands in a sentence, or the speaker speaks of themselves in it."""
    if name == SPEAKER:
        return speaks_of_self(sentence)
    if name_key(name) == name_key(message.author.display_name) and speaks_of_self(sentence):
        return True
    key = re.escape(name_key(name))
    edge = r"(?<!\w){}(?!\w)" if key.isascii() else "{}"
    return bool(re.search(edge.format(key), name_key(sentence)))
