"""Values with sensible defaults, for tests that care about one field of them."""

from datetime import datetime
from uuid import UUID

from bot.domain.chat import DISCORD, ConversationKey, ConversationKind, MemoryScope, audience_of
from bot.domain.memory import Memory
from bot.domain.message import IncomingMessage, MessageState, Person, Quote, Role, StoredMessage
from bot.domain.persona import Persona
from bot.domain.turn import Turn
from bot.testing.clock import START

ADA = Person("ada", "Ada")
BO = Person("bo", "Bo")
NOBODY = Person("", "")
"""Stands for a whole group where a person is asked for."""
DIRECT = ConversationKey(DISCORD, "main", "main")
GROUP = ConversationKey(DISCORD, "club", "lounge")


def a_persona(persona_id: str = "iris", *, name: str = "Iris", voice: str = "You are calm.", greeting: str = "Good day.") -> Persona:
    """Return a persona with memory."""
    return Persona(persona_id, name, voice, greeting)


def a_scope(conversation: ConversationKey = DIRECT, person: Person = ADA, *, persona_id: str = "iris") -> MemoryScope:
    """Return the scope of what that person says there."""
    return MemoryScope(persona_id, audience_of(conversation, kind_of(conversation), person.id))


def kind_of(conversation: ConversationKey) -> ConversationKind:
    """Return GROUP where space and channel differ, as they do in all groups of these factories."""
    return ConversationKind.DIRECT if conversation.space_id == conversation.channel_id else ConversationKind.GROUP


def incoming(
    text: str,
    *,
    message_id: str = "m1",
    author: Person = ADA,
    conversation: ConversationKey = DIRECT,
    addressed: bool = True,
    sent_at: datetime = START,
) -> IncomingMessage:
    """Return a message as an adapter hands it in."""
    kind = kind_of(conversation)
    return IncomingMessage(conversation, kind, message_id, author, text, sent_at, addressed_to_bot=addressed)


def stored(
    text: str,
    *,
    row: int = 1,
    author: Person = ADA,
    role: Role = Role.USER,
    conversation: ConversationKey = DIRECT,
    state: MessageState = MessageState.WAITING,
    quote: Quote | None = None,
) -> StoredMessage:
    """Return a message as the store gives it out."""
    return StoredMessage(
        row, conversation, kind_of(conversation), f"m{row}", role, author, text, START, state, addressed_to_bot=True, quote=quote
    )


def a_memory(text: str, *, number: int = 1, subject: Person | None = None, scope: MemoryScope | None = None) -> Memory:
    """Return a memory that Ada gave."""
    return Memory(UUID(int=number), scope or a_scope(), number, text, subject, ADA, (), START, START)


def a_turn(*messages: StoredMessage, persona: Persona | None = None) -> Turn:
    """Return a turn over messages, by default over one."""
    said = messages or (stored("hello"),)
    speaking = persona or a_persona()
    return Turn(speaking, a_scope(said[0].conversation, said[-1].author, persona_id=speaking.id), said, START)
