"""What is left to do in a conversation, and what of it can share an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import takewhile

from bot.domain.chat import ConversationKey
from bot.domain.load import Left
from bot.domain.message import StoredMessage
from bot.domain.persona import Personas
from bot.memory.company import addressees, shared_company
from bot.ports.store import Transaction


@dataclass(frozen=True, slots=True)
class Work:
    """What is left to do, as the store has it at one moment, and what one has to know to do it."""

    left: Left
    personas: Mapping[int, str] = field(default_factory=dict)
    """Who answers which row, where several personas share the place."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What is set for the conversation's space, where there is something to send or to answer."""

    @property
    def is_sent_alone(self) -> bool:
        """Say whether replies are to be sent, and nothing else is to be done."""
        return bool(self.left.unsent) and not (self.left.waiting or self.left.passing or self.left.draft_id)

    @property
    def together(self) -> Sequence[StoredMessage]:
        """Return the first of what waits that can share an answer; nothing when nothing waits.

        What people say who opted out shares none with what others say, and what is said to two personas shares none. Who asks the
        persona to go on says nothing that could be answered beside.
        """
        waiting = self.left.waiting
        if waiting and waiting[0].asks_to_go_on:
            return waiting[:1]
        return list(takewhile(lambda message: self._is_like(message, waiting[0]), waiting))

    def is_passing(self, message: StoredMessage) -> bool:
        """Say whether somebody said it who opted out."""
        return message.id in self.left.passing

    def _is_like(self, message: StoredMessage, first: StoredMessage) -> bool:
        is_for_the_same = self.personas.get(message.id) == self.personas.get(first.id)
        return self.is_passing(message) is self.is_passing(first) and is_for_the_same and not message.asks_to_go_on


async def work_in(tx: Transaction, personas: Personas, conversation: ConversationKey, *, at: datetime) -> Work:
    """Return what is left to do in a conversation; its replies tell whose they are, where several personas share the place."""
    left = await tx.line.left(conversation)
    settings = await tx.settings.all(conversation.platform, conversation.space_id) if left.unsent or left.waiting else {}
    company = await shared_company(tx, personas, conversation, at=at, settings=settings)
    if company is None:
        return Work(left, settings=settings)
    signed = [replace(entry, target=replace(entry.target, byline=entry.byline)) for entry in left.unsent]
    return Work(replace(left, unsent=signed), await addressees(tx, company, left.waiting), settings)
