"""The last exchange of a conversation: what was asked, and what was answered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from bot.domain.chat import ConversationKey
from bot.domain.command import CommandCall, is_admin
from bot.domain.message import MessageState, Role, StoredMessage
from bot.memory.company import Company, addressees
from bot.ports.store import Transaction

LOOK_BACK = 60
"""Messages among which the last exchange is looked for."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Messages that were answered together, and the persona's lines after them, oldest first."""

    asked: tuple[StoredMessage, ...]
    """Empty where nobody had asked for the answer."""
    answers: tuple[StoredMessage, ...]
    """More than one where the persona was asked to go on; none where it gave no answer."""
    is_last: bool
    """Nobody has written anything since."""

    def is_for(self, call: CommandCall) -> bool:
        """Say whether whoever calls was answered, or is an admin."""
        return is_admin(call) or (not call.asker.is_service and call.asker.id in {message.author.id for message in self.asked})


async def last_exchange(tx: Transaction, conversation: ConversationKey, company: Company | None = None) -> Exchange | None:
    """Return the last exchange; None where nothing was asked and nothing answered.

    Where a company shares the place, it is that of the persona which spoke last: others may have answered other parts of a burst.
    """
    said = list(await tx.messages.history(conversation, limit=LOOK_BACK))
    after = _from_the_end(said, lambda message: message.role is not Role.ASSISTANT)
    if unanswered := _answered(after):
        return Exchange(unanswered, (), is_last=after[-1] is unanswered[-1])
    said = said[: len(said) - len(after)]
    answers = _from_the_end(said, lambda message: message.role is Role.ASSISTANT)
    before = _from_the_end(said[: len(said) - len(answers)], lambda message: message.role is not Role.ASSISTANT)
    if not answers:
        return None
    asked, speaker = _answered(before), answers[-1].persona_id
    answers = _from_the_end(answers, lambda message: message.persona_id == speaker)
    if company is not None:
        answering = await addressees(tx, company, asked)
        asked = tuple(message for message in asked if answering.get(message.id, speaker) == speaker) or asked
    if not asked:
        answers = answers[-1:]
    return Exchange(asked, tuple(answers), is_last=not after)


async def shown_in(tx: Transaction, answers: Sequence[StoredMessage]) -> list[str]:
    """Return the platform's ids of all messages that show these answers, in order."""
    parts = await tx.messages.parts_of([answer.id for answer in answers])
    return [each for answer in answers for each in (answer.message_id, *parts.get(answer.id, ())) if each]


def _from_the_end(messages: Sequence[StoredMessage], fits: Callable[[StoredMessage], bool]) -> list[StoredMessage]:
    """Return the last messages, as far as they all fit."""
    return list(takewhile(fits, reversed(messages)))[::-1]


def _answered(messages: Sequence[StoredMessage]) -> tuple[StoredMessage, ...]:
    return tuple(message for message in messages if message.state is MessageState.DONE)
