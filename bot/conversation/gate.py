"""Whether to answer a message. A pure rule; the reason goes to the log."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.message import IncomingMessage


class Reason(StrEnum):
    """Why the persona speaks or stays silent."""

    ADDRESSED = "addressed"
    TRIGGERED = "triggered"
    ANOTHER_BOT = "another_bot"
    NOT_ADDRESSED = "not_addressed"
    NOTHING_SAID = "nothing_said"


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with a message, and why."""

    speaks: bool
    reason: Reason


def decide(message: IncomingMessage, triggers: Collection[str]) -> Decision:
    """Return whether the persona answers: when addressed, or when one of its trigger words falls. Never other bots."""
    if message.author.is_bot:
        return Decision(speaks=False, reason=Reason.ANOTHER_BOT)
    if not message.text.strip() and not message.attachments:
        return Decision(speaks=False, reason=Reason.NOTHING_SAID)
    if message.addressed_to_bot:
        return Decision(speaks=True, reason=Reason.ADDRESSED)
    if _says_trigger(message.text, triggers):
        return Decision(speaks=True, reason=Reason.TRIGGERED)
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
