"""Who speaks where."""

from collections.abc import Mapping
from datetime import datetime

from bot.domain.casting import HOURS, on_duty
from bot.domain.chat import Audience, ConversationKey, space_of
from bot.domain.locality import at_home, has_locality
from bot.domain.persona import Persona, Personas
from bot.domain.placement import WHOLE_SPACE, binding_target, places_around, setting_at
from bot.ports.store import Transaction


async def speaker(
    tx: Transaction, personas: Personas, conversation: ConversationKey, *, at: datetime, settings: Mapping[str, str] | None = None
) -> Persona:
    """Return the persona that speaks in a conversation at a moment.

    It is the one whose shift it is, or that is bound, at the narrowest place around it; else the default one. It has the language and
    the time zone that are set there. The settings are those of the conversation's space, where they are known already; in a direct
    chat the person's own are others.
    """
    settings = await tx.settings.all(conversation.platform, conversation.space_id) if settings is None else settings
    if any(name.startswith(HOURS) for name in settings):
        chosen = await _by_the_clock(tx, conversation, settings, at)
    else:
        chosen = await tx.bindings.around(conversation)
    persona = await persona_there(tx, personas, conversation, chosen or personas.default_id) or personas.get(None)
    if not has_locality(settings):
        return persona
    return at_home(persona, settings, places_around(conversation, await tx.places.category(conversation)))


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
    persona = await tx.personas.of_audience(audience, persona_id) or personas.get(persona_id)
    return at_home(persona, await tx.settings.all(*space_of(audience)), (WHOLE_SPACE,))


async def _by_the_clock(tx: Transaction, conversation: ConversationKey, settings: Mapping[str, str], now: datetime) -> str | None:
    """Return who is on duty or bound at the narrowest place; at the same place a shift goes over a binding."""
    places = places_around(conversation, await tx.places.category(conversation))
    shifts = [on_duty(settings.get(setting_at(HOURS, place), ""), now) for place in places]
    first = next((number for number, shift in enumerate(shifts) if shift), len(places))
    bound = await tx.bindings.find([binding_target(conversation, place) for place in places[:first]])
    return bound or next(filter(None, shifts), None)
