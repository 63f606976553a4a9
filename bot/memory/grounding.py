"""Whether a fact rests on what people said. Whatever the bot, other bots or the prompt said is never its source."""

import re
from collections.abc import Iterable, Sequence

from bot.domain.message import StoredMessage
from bot.domain.terms import terms
from bot.domain.text import text_key
from bot.memory.likeness import content_words

_HIRAGANA = re.compile(r"[\u3041-\u309fー]+")
_UNSPACED = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_QUESTION = re.compile(r"[^.!?。！？…\n]*(?:[?？]|か。)")
_PLACEHOLDERS = frozenset(("one short sentence", "the new text", "its id"))
_CARRIES_NOTHING = """
    to in on at of for with by from into and or as it its this that these those there here they them him her his he she who which i me
    my we us our you your user person so too both also 's while then be
"""
_SMALL = frozenset(_CARRIES_NOTHING.split())


def grounded(text: str, messages: Sequence[StoredMessage]) -> bool:
    """Say whether a fact can rest on the human lines among the messages: those of the turn, and what was said before it.

    It cannot when nobody human spoke, or when more of its words stand in what bots stated alone than in lines of people. What a bot
    asked may be answered by a yes. A fact in words of the model's own, such as a translation, can: in doubt nothing is lost.
    """
    wanted = terms(text)
    human = [message for message in messages if message.is_human]
    said = _terms_of(message.text for message in human)
    by_bots = _terms_of(_stated(message.text) for message in messages if not message.is_human) - said
    return bool(human) and len(wanted & by_bots) <= len(wanted & said)


def is_placeholder(text: str) -> bool:
    """Say whether a text is what the instructions to the model write in place of a fact."""
    return text_key(text) in _PLACEHOLDERS


def meaning(text: str, *, name: str = "") -> frozenset[str]:
    """Return the words, or pairs of characters, that a fact consists of; small words are left out, negations and tenses are not."""
    spaced = {word for word in content_words(text, name=name) if not _UNSPACED.search(word)}
    unspaced = {term for term in terms(text) if _UNSPACED.search(term) and not _HIRAGANA.fullmatch(term)}
    return frozenset((spaced | unspaced) - _SMALL - {name.casefold()})


def invented(text: str, sources: Iterable[str], *, name: str = "") -> frozenset[str]:
    """Return the words of a text that stand in none of its sources."""
    return meaning(text, name=name).difference(*(meaning(source, name=name) for source in sources))


def dropped(text: str, sources: Iterable[str], *, name: str = "") -> frozenset[str]:
    """Return the words of the sources that a text leaves out."""
    return frozenset[str]().union(*(meaning(source, name=name) for source in sources)) - meaning(text, name=name)


def _stated(text: str) -> str:
    """Return a text without its questions."""
    return _QUESTION.sub(" ", text)


def _terms_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*(terms(text) for text in texts))
