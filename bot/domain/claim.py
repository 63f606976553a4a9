"""What sentences say of two names: the closed vocabulary, and what is no statement of how things are."""

import re
from dataclasses import dataclass

SPEAKER = ""
"""Stands for whoever says a sentence."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says, before it is known who speaks and when: `lives_in`, from the speaker or a name to a name or a thing."""

    subject: str
    predicate: str
    object: str
    sentence: str
    holds: bool = True
    """Whether it still is so; else it was, and is no more."""


_PHRASES = {
    "lives_in": ("lives in", "lived in"),
    "based_in": ("is based in", "was based in"),
    "works_at": ("works at", "worked at"),
    "works_as": ("works as", "worked as"),
    "studies_at": ("studies at", "studied at"),
    "studies": ("studies", "studied"),
    "married_to": ("is married to", "was married to"),
    "engaged_to": ("is engaged to", "was engaged to"),
    "partner_of": ("is the partner of", "was the partner of"),
    "born_in": ("was born in", "was born in"),
    "birthday": ("has their birthday on", "had their birthday on"),
    "comes_from": ("comes from", "came from"),
    "owns": ("has", "had"),
    "is_a": ("is a kind of", "was a kind of"),
    "likes": ("likes", "liked"),
    "loves": ("loves", "loved"),
    "dislikes": ("dislikes", "disliked"),
    "hates": ("hates", "hated"),
    "allergic_to": ("is allergic to", "was allergic to"),
    "speaks": ("speaks", "spoke"),
    "plays": ("plays", "played"),
    "lives_with": ("lives with", "lived with"),
    **{
        f"{role}_of": (f"is the {role} of", f"was the {role} of")
        for role in (
            *("sister", "brother", "sibling", "twin", "mother", "father", "parent", "son", "daughter", "child", "cousin", "aunt", "uncle"),
            *("niece", "nephew", "grandmother", "grandfather", "friend", "boss", "colleague", "neighbour", "roommate", "teacher"),
            *("student", "doctor", "owner"),
        )
    },
}
PREDICATES = frozenset(_PHRASES)
"""What rules know of. A model may propose others, as short as these."""

_ONE_AT_A_TIME = frozenset(("lives_in", "based_in", "works_at", "works_as", "studies_at", "married_to", "engaged_to", "partner_of"))
_ONE_EVER = frozenset(("born_in", "birthday", "comes_from"))
_FAVOURITE = "favourite_"
_BOTH_WAYS = frozenset(
    (
        *("married_to", "engaged_to", "partner_of", "lives_with", "sibling_of", "twin_of", "cousin_of", "friend_of"),
        *("colleague_of", "neighbour_of", "roommate_of"),
    )
)
_OPPOSED = {
    "likes": ("dislikes", "hates"),
    "loves": ("dislikes", "hates"),
    "dislikes": ("likes", "loves"),
    "hates": ("likes", "loves"),
}

_NEW_PREDICATE = re.compile(r"[a-z]{2,16}(?:_[a-z]{1,16}){0,3}")
_SYNONYMS = {
    "moved_to": "lives_in",
    "resides_in": "lives_in",
    "is_from": "comes_from",
    "from": "comes_from",
    "works_for": "works_at",
    "employed_by": "works_at",
    "job": "works_as",
    "profession": "works_as",
    "spouse_of": "married_to",
    "wife_of": "married_to",
    "husband_of": "married_to",
    "dating": "partner_of",
    "girlfriend_of": "partner_of",
    "boyfriend_of": "partner_of",
    "enjoys": "likes",
    "prefers": "likes",
    "has": "owns",
    "has_pet": "owns",
    "birthday_on": "birthday",
    "born_on": "birthday",
    "mom_of": "mother_of",
    "dad_of": "father_of",
    "neighbor_of": "neighbour_of",
    "manager_of": "boss_of",
    "coworker_of": "colleague_of",
}


def predicate_of(word: str) -> str | None:
    """Return the predicate that a word stands for: one of ours where it means the same; None when it cannot be one."""
    snake = re.sub(r"[\s-]+", "_", word.strip().casefold()).removeprefix("is_the_").removeprefix("is_a_")
    known = _SYNONYMS.get(snake, snake).replace("favorite_", _FAVOURITE)
    return known if _NEW_PREDICATE.fullmatch(known) else None


def has_one_value(predicate: str) -> bool:
    """Say whether a new value takes the place of the old one."""
    return predicate in _ONE_AT_A_TIME or predicate in _ONE_EVER or predicate.startswith(_FAVOURITE)


def works_both_ways(predicate: str) -> bool:
    """Say whether it holds from the object to the subject, too."""
    return predicate in _BOTH_WAYS


def opposed_to(predicate: str) -> tuple[str, ...]:
    """Return what cannot hold of the same two names together with it."""
    return _OPPOSED.get(predicate, ())


def phrase(predicate: str, *, holds: bool = True) -> str:
    """Return a predicate as words between subject and object: `lives in`."""
    if predicate.startswith(_FAVOURITE):
        return f"{'has' if holds else 'had'} as {predicate.replace('_', ' ')}"
    now, before = _PHRASES.get(predicate, (predicate.replace("_", " "), f"{predicate.replace('_', ' ')} (before)"))
    return now if holds else before


_QUESTION = re.compile(
    r"[?？]|か[。！]?$|\A\W*(?:who|whose|whom|what|where|when|why|which|how|(?:do|does|did|is|are|was|were|have|has|can|could|would|will|should)"
    r"(?:n['’]t)?\s+(?:i|you|he|she|it|we|they|there|that|this)|wer|wo|wann|warum|qui|où|quand|pourquoi|quién|dónde|cuándo)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|wish|hope|imagine|imagining|pretend\w*|suppos\w+|hypothetical\w*|what\s+if|let['’]?s\s+say|would|could|might|maybe"
    r"|perhaps|probably|apparently|allegedly|supposedly|rumou?rs?|guess|dream\w*|fantas\w+|role-?play\w*|jk|kidding|joking|sarcasm|not\s+sure|as\s+though"
    r"|fake|lie|lied|lying|almost|nearly|no\s+way|wenn|falls|vielleicht|würde|hätte|könnte|si|peut-être|quizás|quizá|tal\s+vez|ojalá"
    r"|in\s+(?:the|a|this|that|my)\s+(?:book|movie|film|game|novel|story|show|series|anime|manga|song|campaign|fic))\b"
    r"|(?<!\S)/s(?!\S)|もし|かも|だろう|でしょう|たら|なら|みたい|らしい|だったら|したい|如果|也许|可能",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|no|nobody|none|cannot|neither|nor|without|nicht|kein\w*|nie|niemals|ne|n['’]\w+|pas|jamais|nunca|jamás)\b|n['’]t\b"
    r"|\bno\s|ない|ません|なかった|不|没",
    re.IGNORECASE,
)


def is_asked(sentence: str) -> bool:
    """Say whether a sentence asks."""
    return bool(_QUESTION.search(sentence.strip()))


def is_supposed(sentence: str) -> bool:
    """Say whether a sentence supposes, wishes, doubts, jests or tells of a story."""
    return bool(_SUPPOSED.search(sentence))


def is_denied(sentence: str) -> bool:
    """Say whether there is a negation in a sentence."""
    return bool(_DENIED.search(sentence))
