"""One turn: what somebody said to a persona, and what came of it."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.chat import ConversationKey, ConversationKind, MemoryScope
from bot.domain.message import Byline, MessageState, Person, ReplyTarget, StoredMessage
from bot.domain.model import Usage
from bot.domain.persona import Persona
from bot.domain.speaking import USUAL, Speaking


@dataclass(frozen=True, slots=True)
class Turn:
    """The messages that get one answer together, with all that was bound when the turn began."""

    persona: Persona
    scope: MemoryScope
    messages: tuple[StoredMessage, ...]
    """A burst, oldest first; at least one of them waits for an answer."""
    started_at: datetime
    is_passing: bool = False
    """Of somebody who opted out: nothing is recalled for it, and nothing of it is kept."""
    draft_id: str = ""
    """The platform's id of the message that shows its unfinished answer, if one does."""
    speaking: Speaking = USUAL
    """What the admins there have set of how it speaks."""
    byline: Byline | None = None
    """The persona as people are to see it, where several share the place."""

    @property
    def conversation(self) -> ConversationKey:
        """Return where the turn takes place."""
        return self.messages[0].conversation

    @property
    def kind(self) -> ConversationKind:
        """Return how many may read along."""
        return self.messages[0].kind

    @property
    def is_group(self) -> bool:
        """Say whether several people may read along."""
        return self.kind is ConversationKind.GROUP

    @property
    def addressed(self) -> StoredMessage:
        """Return the message that is answered: the last of those that wait."""
        return [message for message in self.messages if message.state is MessageState.WAITING][-1]

    @property
    def is_unasked(self) -> bool:
        """Say whether nobody addressed the persona: it speaks because admins let it."""
        return self.is_group and not self.goes_on and not any(message.addressed_to_bot for message in self.messages)

    @property
    def asker(self) -> Person:
        """Return who gets the answer."""
        return self.addressed.author

    @property
    def text(self) -> str:
        """Return what was said, one line a message."""
        return "\n".join(message.text for message in self.messages)

    @property
    def target(self) -> ReplyTarget:
        """Return where the answer goes: in place, in reply to the message."""
        asking = self.addressed
        reply_to = asking.quote.message_id if self.goes_on and asking.quote else asking.message_id
        return ReplyTarget(self.conversation, self.kind, reply_to, self.byline)

    @property
    def goes_on(self) -> bool:
        """Say whether nobody said anything new: a command asks the persona to go on where its last answer ended."""
        return self.addressed.asks_to_go_on

    @property
    def speaks_up(self) -> bool:
        """Say whether the persona may say something of its own accord."""
        return self.addressed.asks_to_speak_up

    @property
    def run(self) -> str:
        """Return by what the journal knows its memory edits together."""
        return run_of_turn(self.addressed.id)


def run_of_turn(row: int) -> str:
    """Return by what the journal knows the memory edits of the turn that answered a message."""
    return f"turn {row}"


@dataclass(frozen=True, slots=True)
class TurnReport:
    """What came of a turn. `reply` is empty when the persona chose silence."""

    turn: Turn
    reply: str
    edits: int
    """How many memory edits were stored."""
    usage: tuple[Usage, ...]
