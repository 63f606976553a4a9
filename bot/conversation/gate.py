"""Whether to answer a message. A pure rule; the reason goes to the log."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.message import IncomingMessage


class Reason(StrEnum):
    """Why the persona speaks or stays silent."""

    ADDRESSED = "addressed"
    TRIGGERED = "triggered"
    ANOTHER_BOT = "another_bot"
    NOT_ADDRESSED = "not_addressed"
    NOTHING_SAID = "nothing_said"
    ONLY_HEARD = "only_heard"
    """It was said too long ago, or before the thread that it began."""
    DENIED = "denied"
    NOT_LISTED = "not_listed"
    NOT_HERE = "not_here"
    PERSON_LIMIT = "person_limit"
    CONVERSATION_LIMIT = "conversation_limit"
    SERVER_LIMIT = "server_limit"
    TOKENS_SPENT = "tokens_spent"
    LIKE_A_LOOP = "like_a_loop"
    """Too many answers to somebody who may be a program."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with a message, and why."""

    speaks: bool
    reason: Reason
    until: datetime | None = None
    """When a limit ends that keeps the persona silent."""


@dataclass(frozen=True, slots=True)
class Barriers:
    """What stands between a message and an answer where it was said."""

    answers_bots: bool = False
    """Other bots may be answered when they address the persona."""
    stop: Decision | None = None
    """A list or a limit that keeps the persona silent."""


NO_BARRIERS = Barriers()


def decide(message: IncomingMessage, triggers: Collection[str], barriers: Barriers = NO_BARRIERS) -> Decision:
    """Return whether the persona answers: when addressed, or when one of its trigger words falls, unless something stops it."""
    if message.only_heard:
        return Decision(speaks=False, reason=Reason.ONLY_HEARD)
    if message.author.is_bot and not (barriers.answers_bots and message.addressed_to_bot):
        return Decision(speaks=False, reason=Reason.ANOTHER_BOT)
    if not message.text.strip() and not message.attachments:
        return Decision(speaks=False, reason=Reason.NOTHING_SAID)
    if message.addressed_to_bot:
        return barriers.stop or Decision(speaks=True, reason=Reason.ADDRESSED)
    if _says_trigger(message.text, triggers):
        return barriers.stop or Decision(speaks=True, reason=Reason.TRIGGERED)
    return Decision(speaks=False, reason=Reason.NOT_ADDRESSED)


def _says_trigger(text: str, triggers: Collection[str]) -> bool:
    said = text.casefold()
    return any(_stands_alone(trigger.casefold(), said) for trigger in triggers)


def _stands_alone(word: str, text: str) -> bool:
    """Say whether a word stands in a text with no Latin letter or digit right beside it; scripts without blanks have no such border."""
    start = text.find(word)
    while start >= 0:
        beside = text[start - 1 : start] + text[start + len(word) : start + len(word) + 1]
        if not any(char.isalnum() and char.isascii() for char in beside):
            return True
        start = text.find(word, start + 1)
    return False
