"""What an erasure has to go through: reckoned once, as the messages that tell it go on the way."""

from collections.abc import Collection
from urllib.parse import quote

from bot.domain.chat import Audience, AudienceKind, ConversationKey, ConversationKind, MemoryScope, audience_of
from bot.domain.erasing import ErasedPlace, ErasurePlan, ErasureTarget, OneConversation, OneMemory, OnePerson, OneSpace
from bot.ports.store import Transaction


async def plan_of(tx: Transaction, target: ErasureTarget) -> ErasurePlan:
    """Return the places and audiences of a target."""
    conversations = await tx.erasures.conversations(target)
    if isinstance(target, OneMemory):
        return ErasurePlan(tuple(ErasedPlace(each, (target.scope.audience,)) for each in conversations))
    direct = {each: await _direct_audiences(tx, each) for each in conversations}
    is_whole = isinstance(target, OneConversation | OneSpace)
    places = tuple(
        ErasedPlace(each, (*_group_audiences(each), *direct[each]), is_whole or (isinstance(target, OnePerson) and bool(direct[each])))
        for each in conversations
    )
    whole = [_group_audiences(place.conversation)[0] for place in places if place.is_whole]
    whole += [audience for audiences in direct.values() for audience in audiences if await _is_covered(tx, audience, places)]
    if isinstance(target, OneSpace):
        whole.append(_space_audience(ConversationKey(target.platform, target.space_id, "")))
    if isinstance(target, OnePerson) and _is_everywhere(target):
        whole.append(Audience(AudienceKind.PERSON, f"{target.platform}:{quote(target.person_id, safe='')}"))
    in_part = [audience for place in places for audience in place.audiences] if isinstance(target, OnePerson) else []
    left = [audience for audience in in_part if audience not in whole and _is_reached(audience, target)]
    return ErasurePlan(places, tuple(dict.fromkeys(whole)), tuple(dict.fromkeys(left)))


async def _direct_audiences(tx: Transaction, conversation: ConversationKey) -> tuple[Audience, ...]:
    people = await tx.erasures.people_in_direct(conversation)
    return tuple(audience_of(conversation, ConversationKind.DIRECT, person) for person in people)


def _group_audiences(conversation: ConversationKey) -> tuple[Audience, Audience]:
    return audience_of(conversation, ConversationKind.GROUP, ""), _space_audience(conversation)


def _space_audience(conversation: ConversationKey) -> Audience:
    return Audience(AudienceKind.SPACE, ":".join(str(conversation).split(":")[:2]))


async def _is_covered(tx: Transaction, audience: Audience, places: Collection[ErasedPlace]) -> bool:
    """Say whether nothing is left of a person's direct chats when these places are gone."""
    everywhere = await tx.erasures.conversations(OneMemory(MemoryScope("", audience), 0))
    return set(everywhere) <= {place.conversation for place in places if place.is_whole}


def _is_reached(audience: Audience, target: ErasureTarget) -> bool:
    """Say whether what a whole server may see is within reach of a target: one place of it is not enough."""
    return audience.kind is not AudienceKind.SPACE or not (isinstance(target, OnePerson) and target.conversation is not None)


def _is_everywhere(target: OnePerson) -> bool:
    return target.conversation is None and not target.space_id
