"""How a persona is to speak in a conversation."""

from collections.abc import Mapping

import structlog

from bot.domain.chat import ConversationKey, ConversationKind, audience_of, space_of
from bot.domain.placement import places_around
from bot.domain.speaking import PREFIX, Speaking, speaking_at
from bot.ports.store import Transaction

log = structlog.get_logger(__name__)


async def speaking_here(tx: Transaction, conversation: ConversationKey, kind: ConversationKind, person_id: str) -> Speaking:
    """Return what the admins have set for the narrowest places around a conversation. `person_id` tells whose direct chat it is."""
    return await speaking_by(tx, await tx.settings.all(*space_of(audience_of(conversation, kind, person_id))), conversation)


async def speaking_by(tx: Transaction, settings: Mapping[str, str], conversation: ConversationKey) -> Speaking:
    """Return what a space's settings say for a conversation, whose category is looked up only where something is set."""
    category_id = await tx.places.category(conversation) if has_speaking(settings) else ""
    return speaking_in(settings, conversation, category_id)


def has_speaking(settings: Mapping[str, str]) -> bool:
    """Say whether anything is set in a space about how personas speak."""
    return any(name.startswith(PREFIX) for name in settings)


def speaking_in(settings: Mapping[str, str], conversation: ConversationKey, category_id: str) -> Speaking:
    """Return what a space's settings say for a conversation. What is broken there is left out and logged."""
    speaking, broken = speaking_at(settings, places_around(conversation, category_id))
    if broken:
        log.warning("settings_ignored", platform=conversation.platform, names=list(broken))
    return speaking
