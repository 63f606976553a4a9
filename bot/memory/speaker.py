"""Who speaks where."""

from bot.domain.chat import ConversationKey, binding_targets
from bot.domain.persona import Persona, Personas
from bot.ports.store import Transaction


async def speaker(tx: Transaction, personas: Personas, conversation: ConversationKey) -> Persona:
    """Return the persona that speaks in a conversation: the one bound to the narrowest place around it, else the default one."""
    return personas.get(await tx.bindings.find(binding_targets(conversation)))
