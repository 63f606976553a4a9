"""A persona as a space has made it its own."""

from bot.domain.chat import audience_of
from bot.domain.command import CommandCall
from bot.domain.persona import Persona, PersonaVersion
from bot.memory.gate.claims import safely_named
from bot.ports.clock import Clock
from bot.ports.store import Transaction


async def keep_own(tx: Transaction, call: CommandCall, persona: Persona, clock: Clock) -> PersonaVersion:
    """Keep the new state of a persona for the space where somebody asks; it is live from now on, and the version says who did it."""
    audience = audience_of(call.conversation, call.kind, call.asker.id)
    reason = f"/{' '.join(call.path)}"
    return await tx.personas.put(call.conversation, audience, persona, by=safely_named(call.asker), at=clock.now(), reason=reason)
