"""What a persona remembers, as JSON."""

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from bot.domain.chat import (
    CONSOLE,
    CONSOLE_PERSON_ID,
    Audience,
    ConversationKey,
    ConversationKind,
    MemoryScope,
    audience_of,
    console_conversation,
    parse_key,
)
from bot.domain.memory import Memory
from bot.domain.persona import Persona, Personas
from bot.memory.speaker import persona_there, personas_there, speaker
from bot.ports.store import Store, Transaction

_PAGE = 500


class MemoryEntry(BaseModel):
    """One memory; its times are in the persona's time zone."""

    id: int
    content: str
    created_at: str
    updated_at: str


class PersonaMemory(BaseModel):
    """All that a persona remembers of one audience."""

    persona: str
    memory_entries: list[MemoryEntry]
    count: int


class UnknownPersona(LookupError):
    """There is no persona of that id."""


class UnknownPlace(LookupError):
    """That is not how a conversation is written."""


async def persona_memory(store: Store, personas: Personas, *, persona_id: str = "", place: str = "", person_id: str = "") -> PersonaMemory:
    """Return what a persona remembers of a person's direct chats, or, when no person is named, of a conversation.

    Left empty: the persona that speaks in the conversation; the conversation in the terminal; whoever sits there. Writes nothing.
    Raises UnknownPlace for a place that is no conversation, UnknownPersona for an id that no persona has.
    """
    async with store.read() as tx:
        persona, scope = await remembered_there(tx, personas, persona_id=persona_id, place=place, person_id=person_id)
        memories = await all_memories(tx, scope)
    entries = [_entry(memory, persona.zone) for memory in memories]
    return PersonaMemory(persona=persona.id, memory_entries=entries, count=len(entries))


async def remembered_there(
    tx: Transaction, personas: Personas, *, persona_id: str, place: str, person_id: str
) -> tuple[Persona, MemoryScope]:
    """Return who remembers, and which memories are meant, as `persona_memory` tells."""
    conversation = _conversation(place)
    persona = await _persona(tx, personas, persona_id, conversation)
    return persona, MemoryScope(persona.id, _audience(conversation, person_id))


async def all_memories(tx: Transaction, scope: MemoryScope) -> Sequence[Memory]:
    """Return all memories of a scope, in number order."""
    memories: list[Memory] = []
    while page := await tx.memories.page(scope, after=memories[-1].number if memories else 0, limit=_PAGE):
        memories.extend(page)
    return memories


def _conversation(place: str) -> ConversationKey:
    try:
        return parse_key(place) if place else console_conversation()
    except ValueError as problem:
        raise UnknownPlace(str(problem)) from problem


async def _persona(tx: Transaction, personas: Personas, persona_id: str, conversation: ConversationKey) -> Persona:
    if not persona_id:
        return await speaker(tx, personas, conversation, at=datetime.now(UTC))
    persona = await persona_there(tx, personas, conversation, persona_id)
    if persona is None:
        there = [known.id for known in await personas_there(tx, personas, conversation)]
        raise UnknownPersona(f"There is no persona {persona_id!r}; there are: {', '.join(there)}.")
    return persona


def _audience(conversation: ConversationKey, person_id: str) -> Audience:
    person_id = person_id or (CONSOLE_PERSON_ID if conversation.platform == CONSOLE else "")
    kind = ConversationKind.DIRECT if person_id else ConversationKind.GROUP
    return audience_of(conversation, kind, person_id)


def _entry(memory: Memory, zone: ZoneInfo) -> MemoryEntry:
    return MemoryEntry(
        id=memory.number,
        content=memory.text,
        created_at=_local(memory.created_at, zone),
        updated_at=_local(memory.updated_at, zone),
    )


def _local(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S}"
