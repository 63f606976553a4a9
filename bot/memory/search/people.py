"""Whom a question names among those who speak."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.domain.message import Person
from bot.memory.search.languages import Language
from bot.memory.search.spellings import other_spellings

_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_KATAKANA = re.compile("[ァ-ヴー]+")
_HONORIFIC = "(?:さん|ちゃん|くん|君|様|先生|先輩)?"
_WORDS = """
    will may mark don art grace hope joy rose bill rob pat sue june april august sky angel faith jack max dot nick ray
"""
_COMMON = frozenset(_WORDS.split())
"""Names that are words too: they are names only when they begin with a capital."""


@dataclass(frozen=True, slots=True)
class Named:
    """A person whom a question names, and the pattern of the name as it stands there."""

    person: Person
    pattern: re.Pattern[str]


def named(text: str, people: Iterable[Person]) -> Sequence[Named]:
    """Return the speakers whose name, or a word of it, stands in a question."""
    found = [Named(person, pattern) for person in people if (pattern := _pattern(person.display_name)) and _stands_in(pattern, text)]
    return [one for one in found if not one.person.is_service]


def in_first_person(text: str, those: Iterable[Named], language: Language) -> str:
    """Return a text as the people whom it names would say it of themselves: people seldom name themselves when they tell something."""
    told = text
    for one in those:
        told = re.sub(rf"{one.pattern.pattern}{_HONORIFIC}(?:['’]s?\b|s\b|の(?=\w))", language.owner, told, flags=re.IGNORECASE)
        told = re.sub(one.pattern.pattern + _HONORIFIC, language.subject, told, flags=re.IGNORECASE)
    if told != text and language.subject == "I":
        told = re.sub(r"\b(?:his|her|their)\b", "my", re.sub(r"\b(?:he|she|they)\b", "I", told))
    return told


def without_names(text: str, those: Iterable[Named]) -> str:
    """Return a text without the names of these people."""
    for one in those:
        text = re.sub(one.pattern.pattern + _HONORIFIC, " ", text, flags=re.IGNORECASE)
    return text


@lru_cache(maxsize=4096)
def _pattern(display_name: str) -> re.Pattern[str] | None:
    name = unicodedata.normalize("NFKC", display_name)
    words = [word for word in _WORD.findall(name) if _LETTERS.fullmatch(word)]
    whole = [re.escape(name)] if words and " " in name else []
    parts = whole + [_part(form) for word in words for form in (word, *sorted(other_spellings(word)))]
    return re.compile("(?:" + "|".join(parts) + ")", re.IGNORECASE) if parts else None


def _part(word: str) -> str:
    """Return the pattern of a word of a name, which no letters touch; a German owner may have an s."""
    if _KATAKANA.fullmatch(word):
        return rf"(?<![ァ-ヴー]){word}(?![ァ-ヴー])"
    return re.escape(word) if _UNSPACED.search(word) else rf"\b{re.escape(word)}(?=s?\b)"


def _stands_in(pattern: re.Pattern[str], text: str) -> bool:
    return any(match[0].casefold() not in _COMMON or match[0][0].isupper() for match in pattern.finditer(text))
