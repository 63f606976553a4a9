"""Targets and counts of erasures as JSON."""

import json
from typing import Any, assert_never

from bot.domain.chat import Audience, AudienceKind, MemoryScope, parse_key
from bot.domain.erasing import (
    Counts,
    DeletedMessages,
    ErasedPlace,
    ErasurePlan,
    ErasureTarget,
    Kept,
    OneConversation,
    OneMemory,
    OnePerson,
    OneSpace,
)


def order_text(target: ErasureTarget, plan: ErasurePlan) -> str:
    """Return a target and its plan as they are kept."""
    places = [(str(place.conversation), list(map(str, place.audiences)), place.is_whole) for place in plan.places]
    planned = (places, list(map(str, plan.whole)), list(map(str, plan.in_part)))
    return json.dumps((_fields(target), planned), ensure_ascii=False, separators=(",", ":"))


def order_in(text: str) -> tuple[ErasureTarget | None, ErasurePlan]:
    """Return the target and the plan that were kept; nothing for an empty text."""
    if not text:
        return None, ErasurePlan()
    fields, (places, whole, in_part) = json.loads(text)
    planned = tuple(ErasedPlace(parse_key(key), tuple(map(_audience, audiences)), is_whole) for key, audiences, is_whole in places)
    return _target(*fields), ErasurePlan(planned, tuple(map(_audience, whole)), tuple(map(_audience, in_part)))


def counts_text(counts: Counts) -> str:
    """Return counts as they are kept."""
    return json.dumps(counts, separators=(",", ":"))


def counts_in(text: str) -> Counts:
    """Return the counts that were kept."""
    return {Kept(kind): count for kind, count in json.loads(text).items()}


def _fields(target: ErasureTarget) -> list[object]:
    match target:
        case OneMemory(scope, number, asker):
            return ["memory", scope.persona_id, scope.audience.kind.value, scope.audience.id, number, asker]
        case DeletedMessages(conversation, ids):
            return ["messages", str(conversation), list(ids)]
        case OnePerson(platform, person_id, place, space_id):
            return ["person", platform, person_id, str(place) if place else "", space_id]
        case OneConversation(conversation):
            return ["conversation", str(conversation)]
        case OneSpace(platform, space_id):
            return ["space", platform, space_id]
        case _:
            assert_never(target)


def _target(kind: str, *fields: Any) -> ErasureTarget:
    match kind, fields:
        case "memory", (persona, audience_kind, audience_id, number, asker):
            return OneMemory(MemoryScope(persona, Audience(AudienceKind(audience_kind), audience_id)), number, asker)
        case "messages", (conversation, ids):
            return DeletedMessages(parse_key(conversation), tuple(ids))
        case "person", (platform, person_id, conversation, space_id):
            return OnePerson(platform, person_id, parse_key(conversation) if conversation else None, space_id)
        case "conversation", (conversation,):
            return OneConversation(parse_key(conversation))
        case "space", (platform, space_id):
            return OneSpace(platform, space_id)
        case _:
            raise ValueError(f"An erasure of {kind!r} is unknown; it was begun by a newer Baku. Update this one.")


def _audience(text: str) -> Audience:
    kind, _, audience_id = text.partition("/")
    return Audience(AudienceKind(kind), audience_id)
