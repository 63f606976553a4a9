"""What can be told of a message that nobody addressed to the persona, without asking a model: whom it is for, and whether to answer."""

import re
from collections.abc import Collection, Sequence
from datetime import timedelta
from enum import StrEnum
from itertools import pairwise

from bot.domain.calling import says_any
from bot.domain.message import IncomingMessage, Person, Role, StoredMessage

SOON_AFTER = timedelta(minutes=5)
"""A question this soon after an answer belongs to it."""
EXCHANGE, QUICK = 4, timedelta(minutes=3)
"""So many messages by two people in turn, in so short a time, are talk of their own."""
SHORT_WORDS, SHORT_TEXT = 2, 12
"""A text within both is a reaction rather than something to answer."""

_QUESTION = re.compile(r"[?？؟]")
_LINK = re.compile(r"https?://\S+")
_FOR_A_PROGRAM = re.compile(r"[!/$][^\W\d_]")
_CALLED = re.compile(r"@?(?P<name>[^,:，：、،\n]{1,40}?)\s*[,:，：、،]")


class Inclination(StrEnum):
    """Whether the persona has something to say."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


def is_for_somebody_else(message: IncomingMessage, recent: Sequence[StoredMessage], names: Collection[str]) -> bool:
    """Say whether a message is clearly meant for another person or program. One that says one of the persona's `names` seldom is."""
    text = message.text.strip()
    if _FOR_A_PROGRAM.match(text) or _calls_another(text, message, recent, names):
        return True
    if says_any(text, names):
        return False
    return bool(message.mentioned) or (message.quote is not None and message.quote.author != message.author)


def inclination(
    message: IncomingMessage | StoredMessage, recent: Sequence[StoredMessage], *, names: Collection[str], words: Collection[str]
) -> Inclination:
    """Return whether to say something to a message that came after the recent ones, which stand oldest first."""
    text = message.text.strip()
    if says_any(text, names):
        return Inclination.YES
    words_alone = _LINK.sub(" ", text)
    if not any(char.isalnum() for char in words_alone):
        return Inclination.NO
    if _QUESTION.search(words_alone) and (says_any(text, words) or _asks_on(message, recent)):
        return Inclination.YES
    is_short = len(words_alone.split()) <= SHORT_WORDS and len(words_alone.strip()) <= SHORT_TEXT
    if (is_short and not _QUESTION.search(words_alone)) or _is_exchange(message, recent):
        return Inclination.NO
    return Inclination.UNSURE


def _asks_on(message: IncomingMessage | StoredMessage, recent: Sequence[StoredMessage]) -> bool:
    """Say whether who got the persona's last answer just now goes on."""
    if not recent or recent[-1].role is not Role.ASSISTANT or message.sent_at - recent[-1].sent_at > SOON_AFTER:
        return False
    askers = [said.author for said in recent if said.role is Role.USER]
    return bool(askers) and askers[-1] == message.author


def _is_exchange(message: IncomingMessage | StoredMessage, recent: Sequence[StoredMessage]) -> bool:
    last = [*recent[-(EXCHANGE - 1) :], message]
    if len(last) < EXCHANGE or any(said.author.is_bot for said in last) or last[-1].sent_at - last[0].sent_at > QUICK:
        return False
    speakers = [said.author.id for said in last]
    return len(set(speakers)) == 2 and all(one != other for one, other in pairwise(speakers))


def _calls_another(text: str, message: IncomingMessage, recent: Sequence[StoredMessage], names: Collection[str]) -> bool:
    called = _CALLED.match(text)
    if called is None:
        return False
    name = called["name"].casefold()
    people = [*(said.author for said in recent if said.role is Role.USER), *message.mentioned]
    others = {form for person in people if person != message.author for form in _forms(person)}
    return name in others and name not in {own.casefold() for own in names}


def _forms(person: Person) -> tuple[str, ...]:
    whole = person.display_name.casefold().strip()
    first = whole.split(maxsplit=1)[:1]
    return (whole, *first) if whole else ()
