"""What commands may do to answers: end one that is being written, and ask for one."""

from enum import StrEnum
from typing import Protocol

from bot.domain.chat import ConversationKey
from bot.domain.message import IncomingMessage
from bot.ports.store import Transaction


class Stopping(StrEnum):
    """What came of stopping."""

    STOPPED = "stopped"
    NOTHING = "nothing"
    """Nothing was being written there."""
    NOT_YOURS = "not_yours"
    """What is being written there answers other people."""


class RunningTurns(Protocol):
    """The answers that are being written."""

    async def stop(self, conversation: ConversationKey, *, person_id: str = "") -> Stopping:
        """End what is being written in a conversation and its discussions; returns at once, and what was shown stays as the answer.

        With a person, only answers to them are ended.
        """
        ...

    async def is_writing(self, conversation: ConversationKey) -> bool:
        """Say whether an answer is being written there."""
        ...


class Admission(Protocol):
    """Lists, limits and budgets, for an answer that nobody's new message asks for."""

    async def admit(self, tx: Transaction, message: IncomingMessage) -> str:
        """Count an answer as if that message had asked for it, and return an empty text; or return a line that says why there is none."""
        ...
