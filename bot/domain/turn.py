"""One turn: what somebody said to a persona, and what came of it."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.chat import ConversationKey, ConversationKind, MemoryScope
from bot.domain.message import Person, ReplyTarget, StoredMessage
from bot.domain.model import Usage
from bot.domain.persona import Persona


@dataclass(frozen=True, slots=True)
class Turn:
    """The messages that get one answer together, with all that was bound when the turn began."""

    persona: Persona
    scope: MemoryScope
    messages: tuple[StoredMessage, ...]
    """A burst, oldest first; never empty."""
    started_at: datetime

    @property
    def conversation(self) -> ConversationKey:
        """Return where the turn takes place."""
        return self.messages[0].conversation

    @property
    def kind(self) -> ConversationKind:
        """Return how many may read along."""
        return self.messages[0].kind

    @property
    def asker(self) -> Person:
        """Return who wrote last."""
        return self.messages[-1].author

    @property
    def text(self) -> str:
        """Return what was said, one line a message."""
        return "\n".join(message.text for message in self.messages)

    @property
    def target(self) -> ReplyTarget:
        """Return where the answer goes: in place, to the last message."""
        last = self.messages[-1]
        return ReplyTarget(last.conversation, last.kind, last.message_id)


@dataclass(frozen=True, slots=True)
class TurnReport:
    """What came of a turn. `reply` is empty when the persona chose silence."""

    turn: Turn
    reply: str
    edits: int
    """How many memory edits were stored."""
    usage: tuple[Usage, ...]
