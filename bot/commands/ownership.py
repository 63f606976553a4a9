"""What memory is meant where somebody asks, and what of it they may see."""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.commands.memory_texts import no_such_memory
from bot.commands.persona_cast import Refused, named_there
from bot.domain.chat import ConversationKind, MemoryScope, audience_of
from bot.domain.command import CommandCall
from bot.domain.memory import EditOrigin, Memory
from bot.domain.persona import Persona, Personas
from bot.memory.policy import policy_for
from bot.memory.speaker import speaker
from bot.ports.store import Transaction

WHOSE = "persona"
"""The option by which somebody asks for the memory of another persona than the one that speaks."""


@dataclass(frozen=True, slots=True)
class Place:
    """Who speaks where somebody asks, with the policy that holds there, and what memory that is."""

    persona: Persona
    scope: MemoryScope


async def place_of(tx: Transaction, personas: Personas, call: CommandCall, at: datetime) -> Place:
    """Return the place of a call at a moment, of the persona that the call names, else of whoever speaks there. Raises Refused."""
    is_named = WHOSE in call.options
    persona = await (named_there(tx, personas, call, WHOSE) if is_named else speaker(tx, personas, call.conversation, at=at))
    audience = audience_of(call.conversation, call.kind, call.asker.id)
    policy = await policy_for(tx, persona, audience)
    return Place(replace(persona, memory=policy), MemoryScope(persona.id, audience))


async def own_memory(tx: Transaction, scope: MemoryScope, number: int, call: CommandCall) -> Memory:
    """Return the memory of that number. Raises Refused when there is none that the asker may see."""
    memory = await tx.memories.get(scope, number)
    if memory is None or not is_own(memory, call):
        raise Refused(no_such_memory(number))
    return memory


def is_own(memory: Memory, call: CommandCall) -> bool:
    """Return whether the asker may see and change it: all in a direct chat, in a group what is about them or said by them."""
    people = (memory.author, memory.subject)
    return call.kind is ConversationKind.DIRECT or any(person is not None and person.id == call.asker.id for person in people)


def origin_of(call: CommandCall) -> EditOrigin:
    """Return who changes memory by a command, and why."""
    return EditOrigin(actor=f"person:{call.asker.id}", reason=f"/{' '.join(call.path)}", author=call.asker)
