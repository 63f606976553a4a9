"""What holds between names: learning it from messages, in any order, and finding what belongs to a text."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.domain.chat import Audience
from bot.domain.claim import SPEAKER, Claim, has_one_value, opposed_to, works_both_ways
from bot.domain.entity import EntityMention, keys_in, name_key
from bot.domain.message import Person, StoredMessage
from bot.domain.past import EntityFacts, Relation
from bot.memory.entities import as_member, asks_who, members_of, speaks_of_self
from bot.memory.hidden import hidden_there, hides_relation, learnable, people_of
from bot.ports.store import Transaction

NEAR, FAR = 0.3, 0.15
"""What a name counts in a search that is one step, or two, from a name in the question."""
MOST_NEIGHBOURS = 20
_TIMELINE = 50
"""Relations of one subject and kind that are looked at when a new one comes."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What is known of the names in a text."""

    entities: tuple[EntityFacts, ...] = ()
    relations: tuple[Relation, ...] = ()


def relations_of(claims: Iterable[Claim], message: StoredMessage) -> Sequence[Relation]:
    """Return what a message claims as relations that begin when it was sent; the speaker is its author. Bots claim nothing."""
    speaker = as_member(message.author)
    if not message.is_human:
        return ()
    told = (_relation(claim, message, speaker) for claim in claims)
    return [relation for relation in told if relation is not None and name_key(relation.subject) != name_key(relation.object)]


def _relation(claim: Claim, message: StoredMessage, speaker: EntityMention | None) -> Relation | None:
    if speaker is None and SPEAKER in (claim.subject, claim.object):
        return None
    name, person = (speaker.name, speaker.person_id) if speaker else ("", "")
    return Relation(
        subject=claim.subject or name,
        predicate=claim.predicate,
        object=claim.object or name,
        valid_from=message.sent_at,
        source_row=message.id,
        evidence=claim.sentence,
        valid_to=None if claim.holds else message.sent_at,
        ended_by_row=None if claim.holds else message.id,
        subject_person="" if claim.subject else person,
        object_person="" if claim.object else person,
    )


async def learn(
    tx: Transaction, audience: Audience, message: StoredMessage, mentions: Sequence[EntityMention], relations: Sequence[Relation]
) -> int:
    """Store the names and relations of a message, and return how many relations were new. To learn a message again changes nothing.

    A new value ends the old one. What is learned late takes its place in time: it ends nothing that is newer. Nothing is learned from or
    about people who opted out.
    """
    hidden = await hidden_there(tx, audience, people_of(message))
    if hidden.hides_message(message):
        return 0
    await tx.entities.add(audience, message.id, learnable([*members_of(message), *mentions], hidden))
    members = await _members(tx, audience, relations)
    told = [_with_members(relation, members) for relation in relations]
    return sum([await _learn_one(tx, audience, relation) for relation in told if not hides_relation(relation, hidden)])


async def unlearn(tx: Transaction, audience: Audience, message_rows: Collection[int]) -> None:
    """Forget what was learned from some messages, because they were edited or deleted.

    What they had ended holds again, unless something else has taken its place.
    """
    await tx.entities.remove(audience, message_rows)
    for relation in sorted(await tx.relations.remove(audience, message_rows), key=_order):
        await _learn_one(tx, audience, relation)


async def _members(tx: Transaction, audience: Audience, relations: Sequence[Relation]) -> Mapping[str, str]:
    """Return the member of each name that one member alone bears."""
    names = {name_key(name) for relation in relations for name in (relation.subject, relation.object)}
    found = await tx.entities.known(audience, names, sentences=0) if names else ()
    bearers: dict[str, set[str]] = {}
    for facts in found:
        for name in (facts.name, *facts.aliases):
            bearers.setdefault(name_key(name), set()).add(facts.person_id)
    return {name: person for name, people in bearers.items() if len(people) == 1 for person in people if person}


def _with_members(relation: Relation, members: Mapping[str, str]) -> Relation:
    return replace(
        relation,
        subject_person=relation.subject_person or members.get(name_key(relation.subject), ""),
        object_person=relation.object_person or members.get(name_key(relation.object), ""),
    )


async def _learn_one(tx: Transaction, audience: Audience, relation: Relation) -> bool:
    same = await _between(tx, audience, relation, relation.predicate)
    if works_both_ways(relation.predicate):
        same += await _between(tx, audience, _turned(relation), relation.predicate)
    if any(other.source_row == relation.source_row for other in same):
        return False
    if relation.valid_to is not None:
        return await _learn_past(tx, audience, relation, same)
    if any(other.valid_to is None or (other.valid_from <= relation.valid_from < other.valid_to) for other in same):
        return False
    rivals = [other for predicate in opposed_to(relation.predicate) for other in await _between(tx, audience, relation, predicate)]
    if has_one_value(relation.predicate):
        person = relation.subject_person
        rivals += await tx.relations.timeline(audience, relation.subject, relation.predicate, person_id=person, limit=_TIMELINE)
    return await _take_place(tx, audience, relation, rivals, others=[*same, *rivals])


async def _learn_past(tx: Transaction, audience: Audience, relation: Relation, same: Sequence[Relation]) -> bool:
    """Learn that something was: it ends what held before; what somebody said later still holds."""
    ended = [other.id for other in same if other.valid_to is None and _order(other) < _order(relation)]
    if ended:
        await tx.relations.end(audience, ended, at=relation.valid_from, by_row=relation.source_row)
        return False
    return not same and await tx.relations.add(audience, relation)


async def _take_place(
    tx: Transaction, audience: Audience, relation: Relation, rivals: Sequence[Relation], *, others: Sequence[Relation]
) -> bool:
    """Store a relation at its place in time: it ends what held before it, and the next one after it ends it."""
    rivals = [other for other in rivals if other.valid_to != other.valid_from]  # what only was ends nothing
    before = [other.id for other in rivals if other.valid_to is None and _order(other) < _order(relation)]
    await tx.relations.end(audience, before, at=relation.valid_from, by_row=relation.source_row)
    after = min(
        (other for other in others if _order(other) > _order(relation) and other.valid_to != other.valid_from), key=_order, default=None
    )
    if after is not None:
        relation = replace(relation, valid_to=after.valid_from, ended_by_row=after.source_row)
    return await tx.relations.add(audience, relation)


async def _between(tx: Transaction, audience: Audience, relation: Relation, predicate: str) -> list[Relation]:
    """Return what is known between the two names of a relation."""
    subject, thing, person = relation.subject, relation.object, relation.subject_person
    return list(await tx.relations.timeline(audience, subject, predicate, thing=thing, person_id=person, limit=_TIMELINE))


def _turned(relation: Relation) -> Relation:
    return replace(relation, subject=relation.object, object=relation.subject, subject_person=relation.object_person)


def _order(relation: Relation) -> tuple[object, ...]:
    return relation.valid_from, relation.source_row


async def known_in(
    tx: Transaction, audience: Audience, text: str, *, limit: int, speaker: Person | None = None, depth: int = 1
) -> KnownNames:
    """Return what is known of the names in a text, at most `limit` names and as many relations; nothing is scanned.

    A relation is of a name that is its subject. Those of which it is the object come when the text asks who, or names the subject, too.
    Where the text speaks of its speaker, what is known of them belongs to it.
    """
    keys = keys_in(text)
    entities = (await tx.entities.known(audience, keys))[:limit] if keys else ()
    own = _own_key(text, speaker)
    names = keys | {name_key(alias) for facts in entities for alias in (facts.name, *facts.aliases)} | ({own} - {""})
    found = await tx.relations.about(audience, names, depth=depth, limit=4 * limit) if names else ()
    asked = found if asks_who(text) or depth > 1 else [relation for relation in found if name_key(relation.subject) in names]
    if own and speaker and own not in keys:
        asked = [relation for relation in asked if name_key(relation.subject) != own or relation.subject_person == speaker.id]
    return KnownNames(tuple(facts for facts in entities if facts.sentences), tuple(asked[:limit]))


async def neighbours(
    tx: Transaction, audience: Audience, text: str, *, speaker: Person | None = None, depth: int = 2
) -> Mapping[str, float]:
    """Return names that are related to those in a text, with what each counts in a search: less the farther it is.

    Where the text speaks of its speaker, their name is one of its names.
    """
    keys = keys_in(text) | ({_own_key(text, speaker)} - {""})
    found = await tx.relations.about(audience, keys, depth=depth, limit=2 * MOST_NEIGHBOURS) if keys else ()
    weights: dict[str, float] = {}
    reached: Collection[str] = keys
    for weight in (NEAR, FAR)[:depth]:
        ends = [(one, other) for each in found for one, other in ((each.subject, each.object), (each.object, each.subject))]
        near = [other for one, other in ends if name_key(one) in reached and name_key(other) not in keys and other not in weights]
        weights |= {name: weight for name, _ in Counter(near).most_common(MOST_NEIGHBOURS - len(weights))}
        reached = {name_key(name) for name in near}
    return weights


def _own_key(text: str, speaker: Person | None) -> str:
    return name_key(speaker.display_name) if speaker and speaks_of_self(text) else ""
