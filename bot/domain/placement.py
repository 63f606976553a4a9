"""Settings for a part of a space: a category, a channel, a thread."""

from collections.abc import Mapping, Sequence

from bot.domain.chat import BindingTarget, ConversationKey

WHOLE_SPACE = ""
"""The name of a space as a place of its own."""


def places_around(conversation: ConversationKey, category_id: str = "") -> tuple[str, ...]:
    """Return the names of the places that a conversation stands in, the narrowest first and the whole space last."""
    channel = conversation.channel_id
    names = [f"{channel}/{conversation.thread_id}" if conversation.thread_id else channel, channel, category_id, WHOLE_SPACE]
    return tuple(dict.fromkeys(name for name in names if name or name is WHOLE_SPACE))


def setting_at(name: str, place: str) -> str:
    """Return how a setting is called that holds for one place of a space."""
    return f"{name}@{place}" if place else name


def set_around(settings: Mapping[str, str], name: str, places: Sequence[str]) -> str:
    """Return what is set for the narrowest of the places that has something set; empty where none has."""
    return next((settings[found] for place in places if (found := setting_at(name, place)) in settings), "")


def place_set(settings: Mapping[str, str], name: str, places: Sequence[str]) -> str | None:
    """Return the narrowest of the places that has something set; None where none has."""
    return next((place for place in places if setting_at(name, place) in settings), None)


def binding_target(conversation: ConversationKey, place: str) -> BindingTarget:
    """Return one of the places around a conversation as somewhere that a persona can be bound to."""
    channel, _, thread = place.partition("/")
    return BindingTarget(conversation.platform, conversation.space_id, channel, thread)
