"""Names that people drop: what is kept of one, and one form for all ways to write it."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

MOST_KEYS = 800
"""Candidates taken of one text."""
_MOST_WORDS_READ = 400
_LONGEST = 60

_BEFORE = re.compile(
    r"^(?:(?:the|an?|der|die|das|mr|mrs|ms|mx|miss|mister|dr|doctor|prof|professor|sir|madam|herr|herrn|frau|fräulein|hr"
    r"|señor|señora|señorita|sra?|monsieur|madame|mademoiselle|mme|mlle|signor|signora)\b\.?\s+)+(?=\S)"
)
_POSSESSIVE = re.compile(r"(?<=\w)['’`´]s?$")
_HONORIFIC = re.compile(
    r"(?<=\S)(?:さん|ちゃん|くん|さま|(?<=\S\S)(?:君|様|先生|先輩|氏|殿)|씨|님)$|(?<=\S)[ -](?:san|chan|kun|sama|sensei|senpai)$"
)
_EDGE = "\"'“”‘’„«»「」『』《》()[]{}<>.,;:!?…。、！？・*_~|`´- \t\n"
_OPENING = _EDGE.replace(".", "")  # .NET

_PARTS = re.compile(r"[^\s,;:!?…。、！？()\[\]{}<>\"“”„«»「」『』/]+")
_BREAK = re.compile(r"[,;:!?…。、！？()\[\]{}\n]|\.\s")
_HAN = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNSPACED = re.compile(
    rf"(?P<katakana>[\u30a1-\u30faー]+)|(?P<hiragana>[\u3041-\u3096]+)|(?P<han>[{_HAN}]+)"
    r"|(?P<hangul>[\uac00-\ud7a3]+)|(?P<other>[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+)"
)
_LENGTHS = {"hiragana": (2, 6), "han": (2, 5), "hangul": (2, 5), "other": (2, 10)}
"""How long names are that stand among other characters of their script."""


class EntityKind(StrEnum):
    """What a name stands for; the labels of spaCy's English models."""

    PERSON = "PERSON"
    PLACE = "GPE"
    ORGANISATION = "ORG"
    EVENT = "EVENT"
    WORK = "WORK_OF_ART"
    PRODUCT = "PRODUCT"
    OTHER = "MISC"


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name found in a message, with the sentence it stood in; without a sentence the name is known, and was not dropped."""

    name: str
    kind: EntityKind
    sentence: str
    person_id: str = ""
    """The member of the chat who bears the name, when the platform says so."""


def name_key(name: str) -> str:
    """Return what all ways to write a name have in common: case, width, possessive, article, title and honorific do not count."""
    folded = " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())
    bare = _POSSESSIVE.sub("", folded.lstrip(_OPENING).rstrip(_EDGE.replace("'", "").replace("’", "")))
    key = _HONORIFIC.sub("", _BEFORE.sub("", bare.strip(_OPENING), count=1)).rstrip(_EDGE)
    return key or folded


def keys_in(text: str, most_words: int = 4) -> frozenset[str]:
    """Return the keys of all that may be a name in a text: one to some words, and parts of what is written without blanks.

    At most `MOST_KEYS`; of a long text what stands first.
    """
    keys: dict[str, None] = {}
    for key in chain(_word_keys(text, most_words), _run_keys(text)):
        if len(keys) == MOST_KEYS:
            break
        keys[key] = None
    return frozenset(keys)


def _word_keys(text: str, most_words: int) -> Iterator[str]:
    for words in _stretches(text):
        for first, word in enumerate(words):
            yield from (name_key(" ".join(words[first : first + length])) for length in range(1, min(most_words, len(words) - first) + 1))
            if "-" in word.strip("-"):
                yield from (name_key(part) for part in word.split("-") if part)


def _stretches(text: str) -> Iterator[list[str]]:
    """Yield the words of a text, as they stand together without a break."""
    left = _MOST_WORDS_READ
    for stretch in _BREAK.split(text):
        words = [word for word in _PARTS.findall(stretch) if len(word) <= _LONGEST and any(map(str.isalnum, word))][:left]
        left -= len(words)
        if words:
            yield words


def _run_keys(text: str) -> Iterator[str]:
    before = None
    for run in _UNSPACED.finditer(unicodedata.normalize("NFKC", text)):
        if before is not None and before.end() == run.start() and len(before[0]) + len(run[0]) <= _LENGTHS["other"][1]:
            yield before[0] + run[0]
        before = run
        yield from _parts_of(run[0], *_LENGTHS.get(run.lastgroup or "", (len(run[0]), len(run[0]))))


def _parts_of(run: str, least: int, most: int) -> Iterator[str]:
    """Yield a run as a whole, if it is short, and all its parts of these lengths."""
    if len(run) <= most:
        yield run
    for start in range(len(run) - least + 1):
        yield from (run[start : start + length] for length in range(least, min(most, len(run) - start) + 1))
