"""Whether two texts say the same. Careful: in doubt they do not."""

import re
import unicodedata
from itertools import pairwise
from typing import TypeAlias

from bot.domain.chat import MemoryScope
from bot.domain.memory import Memory
from bot.domain.message import Person
from bot.domain.text import text_key
from bot.memory.wording import reworded, reworded_japanese, stem, without_ing
from bot.ports.store import Transaction

CANDIDATES = 20
"""How many memories that share words are looked at."""

LikenessKey: TypeAlias = tuple[str, ...]

_UNSPACED = "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_JAPANESE = re.compile(f"[{_UNSPACED}]")
_SHOUTED = re.compile(r"\b[A-Z]{2,4}\b|(?<=[a-z,] )A\b")
_KEPT_CAPITAL = "ˈ"
"""Marks a word in capitals, so that US is not us and IT is not it."""
_JAPANESE_WORD = 3
"""Characters that may be no more than a word."""
_DOING = "~"
"""Marks the verb in `like to swim`."""
_TOKEN = re.compile(
    rf"-?\d+(?:[.,:/-]\d+)*%?"
    rf"|[{_UNSPACED}]+"
    rf"|(?:(?<!\w)\.)?[^\W\d_{_UNSPACED}]+[\d{_KEPT_CAPITAL}{_DOING}]*(?:[+#]{{1,2}}|(?<=\b[a-z])[-])?(?![^\W_{_UNSPACED}])"
    rf"|'s\b|[^\s]"
)
_SILENT = frozenset(".,;:!…'\"“”‘’`()[]{}«»„–—-、。・「」『』〜~¡¿")
_DROPPED = frozenset(
    ("a", "an", "the", "is", "am", "are", "really", "very", "truly", "quite", "absolutely", "actually", "definitely", "also")
)
_SUBJECTS = frozenset(("user", "i", "he", "she", "they", "you"))
_POSSESSIVES = frozenset(("his", "her", "their"))
_OWN = frozenset(("i", "my"))
_ORDER_MATTERS = """
    not no never none nobody nothing without neither nor before after than over under above below from to by but if unless because
    while until since instead against was were will would can could should may might when who whom whose that which 's
"""
_ORDERED = frozenset(_ORDER_MATTERS.split())
_LISTED_AFTER = frozenset(("like", "dislike", "have", "speak", "play", "eat", "drink", "grow", "collect", "read", "watch", "visit"))


async def repeated(tx: Transaction, scope: MemoryScope, text: str, subject: Person | None) -> Memory | None:
    """Return the memory that holds, is about the same person and says what the text says, if there is one."""
    same = await tx.memories.same_text(scope, text)
    if same is not None and _about(same, subject):
        return same
    name = subject.display_name if subject else ""
    found = [memory for memory, _ in await tx.memories.search(scope, text, limit=CANDIDATES)]
    alike = (memory for memory in found if memory.ended_at is None and _about(memory, subject))
    return next((memory for memory in alike if says_the_same(memory.text, text, name=name)), None)


def says_the_same(one: str, other: str, *, name: str = "") -> bool:
    """Say whether two texts state one fact about one person in other words; `name` is what that person is called.

    Common synonyms, politeness, articles and the order of what is listed may differ. Numbers, negations, names, tenses and who does
    what to whom may not; a text that says more than the other is another fact.
    """
    if text_key(one) == text_key(other):
        return True
    key = likeness_key(one, name=name)
    return bool(key) and key == likeness_key(other, name=name)


def likeness_key(text: str, *, name: str = "") -> LikenessKey:
    """Return what all wordings of a fact have in common; empty when the text is too short to tell by its wording."""
    words, is_statement = _words(text, name)
    if len(words) < 2:
        return _key_of_one(words, is_statement=is_statement)
    if _ORDERED.intersection(words) or any(_JAPANESE.match(word) for word in words):
        return tuple(words)
    return _first_rotation(_with_lists_sorted(words))


def _key_of_one(words: list[str], *, is_statement: bool) -> LikenessKey:
    if words and _JAPANESE.match(words[0]):
        return tuple(words) if len(words[0]) > _JAPANESE_WORD else ()
    return ("is", *words) if words and is_statement else ()


def content_words(text: str, *, name: str = "") -> frozenset[str]:
    """Return the words of a text that carry its meaning, each in one form for all wordings; the person's name is none of them."""
    return frozenset(_words(text, name)[0])


def _words(text: str, name: str) -> tuple[list[str], bool]:
    """Return the words in order, and whether the text says what somebody is."""
    normal = unicodedata.normalize("NFKC", text).strip()
    if any(character.islower() for character in normal):
        normal = _SHOUTED.sub(lambda found: found[0] + _KEPT_CAPITAL, normal)
    folded = normal.casefold()
    if _JAPANESE.search(folded):
        folded = reworded_japanese(_without_name(folded, name, "(?:さん|ちゃん|くん|君|様)?[はが]"))
    told = reworded(_without_name(folded, name, r"(?='s\b|\b)"))
    tokens = [token for token in _TOKEN.findall(told) if token not in _SILENT]
    words, is_about_subject = _without_subject(tokens)
    kept = _stemmed(words, drop=_DROPPED | _OWN | (_POSSESSIVES if is_about_subject else frozenset()))
    return kept, bool({"is", "am"}.intersection(tokens))


def _without_name(text: str, name: str, end: str) -> str:
    """Return a text that begins with the person's name, or its first word, without it."""
    called = unicodedata.normalize("NFKC", name).casefold().split()
    for known in filter(None, (" ".join(called), *called[:1])):
        rest = re.sub(rf"^{re.escape(known)}{end}", "", text)
        if rest != text and rest.strip():
            return f"she{rest}" if not _JAPANESE.match(rest) else rest
    return text


def _without_subject(tokens: list[str]) -> tuple[list[str], bool]:
    start = 1 if tokens[:1] == ["the"] and tokens[1:2] == ["user"] else 0
    if tokens[start : start + 1] and tokens[start] in _SUBJECTS:
        owns = tokens[start + 1 : start + 2] == ["'s"]
        return tokens[start + 1 + owns :], True
    return (tokens[1:], True) if tokens[:1] and tokens[0] in _POSSESSIVES | _OWN else (tokens, not _OWN.isdisjoint(tokens))


def _stemmed(tokens: list[str], *, drop: frozenset[str]) -> list[str]:
    kept: list[str] = []
    for before, token in pairwise(["", *tokens]):
        if token in drop and not (token in {"a", "an"} and token == tokens[-1]):
            continue
        kept.append(_one_form(before, token))
    return kept


def _one_form(before: str, token: str) -> str:
    """Return a word without its endings. What is done, as in `like to bake` and `like baking`, stays apart from things: bak~."""
    if before in {"like", "dislike"} and token.endswith(("ing", _DOING)):
        return f"{without_ing(token.removesuffix(_DOING)).removesuffix('e')}{_DOING}"
    return without_ing(token) if before in {"is", "am", "are"} else stem(token)


def _with_lists_sorted(words: list[str]) -> list[str]:
    """Return the words with `like tea and cake` and `like cake and tea` as one; a list that is not told surely stays."""
    if len(words) > 3 and words[-2] in {"and", "or"} and words[-4] in _LISTED_AFTER:
        return [*words[:-3], *sorted((words[-3], words[-1])), words[-2]]
    return words


def _first_rotation(words: list[str]) -> LikenessKey:
    """Return the words in an order that all who put a part of the sentence first agree on: tea each morning, each morning tea."""
    return min(tuple(words[start:] + words[:start]) for start in range(len(words)))


def _about(memory: Memory, subject: Person | None) -> bool:
    return (memory.subject.id if memory.subject else None) == (subject.id if subject else None)
