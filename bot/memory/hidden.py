"""Leaving out those who opted out: of what is written, and of what comes back."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.domain.chat import Audience, ConversationKey, MemoryScope, space_of
from bot.domain.entity import EntityMention, name_key
from bot.domain.memory import Memory, Recall
from bot.domain.message import Person, StoredMessage
from bot.domain.past import EntityFacts, Excerpt, PastRecall, Relation
from bot.domain.privacy import Hidden
from bot.memory.entities import as_member
from bot.ports.store import Transaction

SHORTEST_FIRST_NAME = 3


async def hidden_there(tx: Transaction, audience: Audience, people: Iterable[Person | None] = ()) -> Hidden:
    """Return who opted out, of those known in an audience and of these people."""
    known = await tx.people.hidden(audience)
    others = {person.id for person in people if person is not None and not person.is_bot} - known.ids
    out = await tx.people.out(space_of(audience)[0], others) if others else frozenset[str]()
    return replace(known, ids=known.ids | out)


async def meet(tx: Transaction, audience: Audience, row: int, people: Iterable[Person]) -> None:
    """Keep the names of people whom a message names by their account, who may never write there.

    So they are known by them from then on, should they have opted out, or do so later. Of one who has, the first name is known, too,
    unless it is another member's.
    """
    met = {person.id: member for person in people if (member := as_member(person)) is not None}
    out = await tx.people.out(space_of(audience)[0], set(met)) if met else frozenset[str]()
    first = {person_id: met[person_id].name.split()[0] for person_id in out}
    usable = {person_id: name for person_id, name in first.items() if len(name) >= SHORTEST_FIRST_NAME}
    known = await tx.entities.known(audience, {name_key(name) for name in usable.values()}, sentences=0) if usable else ()
    taken = {(name_key(name), facts.person_id) for facts in known for name in (facts.name, *facts.aliases) if facts.person_id}
    short = [
        replace(met[person_id], name=name)
        for person_id, name in usable.items()
        if not any(key == name_key(name) and bearer != person_id for key, bearer in taken)
    ]
    await tx.entities.add(audience, row, [*short, *met.values()])


async def may_remember(tx: Transaction, scope: MemoryScope, text: str, people: Iterable[Person | None]) -> bool:
    """Say whether a fact may be kept: nobody who opted out told it, is its subject or is named in it."""
    people = list(people)
    hidden = await hidden_there(tx, scope.audience, people)
    return not (any(hidden.hides(person) for person in people) or hidden.named_in(text))


async def spoken_by_others(tx: Transaction, conversation: ConversationKey, said: Sequence[StoredMessage]) -> list[StoredMessage]:
    """Return messages without those of people who opted out, and without what quotes them."""
    people = {person.id for message in said for person in people_of(message) if not person.is_bot}
    out = Hidden(await tx.people.out(conversation.platform, people)) if people else Hidden()
    return [without_quote(message, out) for message in said if not out.hides_message(message)] if out.ids else list(said)


def without_quote(message: StoredMessage, hidden: Hidden) -> StoredMessage:
    """Return a message without its quote when that is of somebody who opted out."""
    return replace(message, quote=None) if message.quote and hidden.hides(message.quote.author) else message


def without_naming(said: Iterable[StoredMessage], hidden: Hidden) -> list[StoredMessage]:
    """Return messages without those that name somebody who opted out: nothing is to be written about them."""
    return [message for message in said if not hidden.named_in(message.text)]


def shown_memories(memories: Sequence[Memory], hidden: Hidden) -> list[Memory]:
    """Return the memories that may be shown."""
    return [memory for memory in memories if not hidden.hides_memory(memory)]


async def shown_recall(tx: Transaction, audience: Audience, recalled: Recall) -> Recall:
    """Return what may stand in a prompt of the memories that came back."""
    memories = [*recalled.working, *recalled.handles, *(hit.memory for hit in recalled.fresh)]
    hidden = await hidden_there(tx, audience, (person for memory in memories for person in (memory.subject, memory.author)))
    if not hidden.ids:
        return recalled
    return replace(
        recalled,
        working=tuple(shown_memories(recalled.working, hidden)),
        handles=tuple(shown_memories(recalled.handles, hidden)),
        groups=(),  # a group is handles without their memories
        fresh=tuple(hit for hit in recalled.fresh if not hidden.hides_memory(hit.memory)),
    )


async def shown_past(tx: Transaction, audience: Audience, past: PastRecall) -> PastRecall:
    """Return what may stand in a prompt of a conversation's past. A summary that names somebody who opted out is left out whole."""
    people = [person for excerpt in past.excerpts for message in excerpt.messages for person in people_of(message)]
    hidden = await hidden_there(tx, audience, people)
    if not hidden.ids:
        return past
    return replace(
        past,
        summary="" if hidden.named_in(past.summary) else past.summary,
        recent=tuple(chunk for chunk in past.recent if not hidden.named_in(chunk.summary)),
        entities=tuple(shown_entities(past.entities, hidden)),
        relations=tuple(relation for relation in past.relations if not hides_relation(relation, hidden)),
        structured=tuple(hit for hit in past.structured if not hidden.named_in(hit.memory.text)),
        excerpts=tuple(shown for excerpt in past.excerpts if (shown := _shown_excerpt(excerpt, hidden)).messages),
        sections=tuple(section for section in past.sections if not hidden.named_in(section[1])),
    )


def shown_entities(entities: Iterable[EntityFacts], hidden: Hidden) -> list[EntityFacts]:
    """Return what may be told of names."""
    return [
        replace(facts, sentences=tuple(sentence for sentence in facts.sentences if not hidden.named_in(sentence)))
        for facts in entities
        if facts.person_id not in hidden.ids and not hidden.names_one((facts.name, *facts.aliases))
    ]


def hides_relation(relation: Relation, hidden: Hidden) -> bool:
    """Say whether a relation is one of somebody who opted out."""
    is_theirs = bool({relation.subject_person, relation.object_person} & hidden.ids)
    return is_theirs or hidden.names_one((relation.subject, relation.object)) or hidden.named_in(relation.evidence)


def learnable(mentions: Iterable[EntityMention], hidden: Hidden) -> list[EntityMention]:
    """Return the mentions that may be kept."""
    return [
        mention
        for mention in mentions
        if mention.person_id not in hidden.ids and name_key(mention.name) not in hidden.names and not hidden.named_in(mention.sentence)
    ]


def _shown_excerpt(excerpt: Excerpt, hidden: Hidden) -> Excerpt:
    """Return what may be shown of an excerpt: nothing when what was found is of, or names, somebody who opted out."""
    said = without_naming((message for message in excerpt.messages if not hidden.hides_message(message)), hidden)
    left_out = {message.id for message in excerpt.messages} - {message.id for message in said}
    if excerpt.found_row in left_out:
        return replace(excerpt, messages=())
    return replace(excerpt, messages=tuple(without_quote(each, hidden) for each in said))


def people_of(message: StoredMessage) -> tuple[Person, ...]:
    """Return who wrote a message, and whom it quotes."""
    return (message.author, message.quote.author) if message.quote else (message.author,)
