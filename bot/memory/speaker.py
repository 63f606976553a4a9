"""Who speaks where."""

from bot.domain.chat import Audience, ConversationKey
from bot.domain.persona import Persona, Personas
from bot.ports.store import Transaction


async def speaker(tx: Transaction, personas: Personas, conversation: ConversationKey) -> Persona:
    """Return the persona that speaks in a conversation: the one bound to the narrowest place around it, else the default one."""
    bound = await tx.bindings.around(conversation) or personas.default_id
    return await persona_there(tx, personas, conversation, bound) or personas.get(None)


async def persona_there(tx: Transaction, personas: Personas, conversation: ConversationKey, persona_id: str) -> Persona | None:
    """Return a persona as it is in the space of a conversation: the space's own, else the installation's; None when there is neither."""
    own = await tx.personas.get(conversation.platform, conversation.space_id, persona_id)
    return own or personas.by_id.get(persona_id)


async def personas_there(tx: Transaction, personas: Personas, conversation: ConversationKey) -> list[Persona]:
    """Return all personas that there are in the space of a conversation, by id."""
    own = {persona.id: persona for persona in await tx.personas.all(conversation.platform, conversation.space_id)}
    return [persona for _, persona in sorted({**personas.by_id, **own}.items())]


async def persona_of(tx: Transaction, personas: Personas, audience: Audience, persona_id: str) -> Persona:
    """Return a persona as it is towards an audience, for work that knows of no conversation; the default one when it is unknown."""
    return await tx.personas.of_audience(audience, persona_id) or personas.get(persona_id)
