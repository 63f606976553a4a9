"""Collecting what is held, wall by wall. Nothing here depends on what other audiences hold: no row ids, no counts of all."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from bot.domain.chat import Audience, BindingTarget, ConversationKey, MemoryScope, binding_targets, space_of
from bot.domain.entity import name_key
from bot.domain.memory import JournalEntry, Memory
from bot.domain.message import StoredMessage
from bot.domain.past import Chunk, EntityFacts, Relation, RollingSummary, StructuredMemory
from bot.domain.pending import MOST_PENDING, PendingMemory
from bot.memory.hidden import hidden_there, hides_relation, shown_entities, shown_memories, spoken_by_others
from bot.ports.store import Transaction

PAGE = 500
MOST_JOURNAL = 1000
"""Lines of a memory's journal."""
MOST_NAMES = 100_000
_KEYS_AT_ONCE = 200
_MOST_RELATIONS = 10_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a place goes into an export: all of it, or what one person said there and what is known of them."""

    person_id: str = ""
    """Whose part; empty for all."""
    asker_id: str = ""
    """Who is going to read it: they are shown their own even where they opted out."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said in a conversation, and what was written about that."""

    conversation: ConversationKey
    messages: Sequence[StoredMessage]
    summary: RollingSummary | None = None
    chunks: Sequence[Chunk] = ()
    structured: Sequence[StructuredMemory] = ()
    bindings: Sequence[tuple[BindingTarget, str]] = ()
    """Which personas were chosen for this place and those around it."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is remembered and known in an audience."""

    audience: Audience
    memories: Sequence[Memory]
    journal: Sequence[JournalEntry]
    entities: Sequence[EntityFacts]
    relations: Sequence[Relation]
    settings: Sequence[tuple[str, str]] = ()
    pending: Sequence[PendingMemory] = ()
    """What waits to be approved."""


async def talk_in(tx: Transaction, conversation: ConversationKey, wanted: Wanted, *, summaries: bool) -> Talk:
    """Return what is kept of a conversation. A person's part has their own lines alone, and no quotes of others."""
    said: list[StoredMessage] = []
    after = 0
    while page := await tx.messages.page(conversation, after=after, limit=PAGE):
        after = page[-1].id
        if wanted.person_id:
            said += [message for message in page if message.author.id == wanted.person_id and not message.persona_id]
        else:
            theirs = await spoken_by_others(tx, conversation, page)
            shown = {message.id for message in theirs}
            said += sorted(
                [*theirs, *(each for each in page if each.id not in shown and each.author.id == wanted.asker_id)], key=lambda each: each.id
            )
    if not summaries:
        return Talk(conversation, said)
    generation = (await tx.pasts.state(conversation)).generation
    chunks: list[Chunk] = []
    while some := await tx.pasts.chunks(conversation, generation, after_row=chunks[-1].first_row if chunks else 0, limit=PAGE):
        chunks += some
    structured: list[StructuredMemory] = []
    while more := await tx.pasts.structured_page(conversation, generation, after=structured[-1].id if structured else 0, limit=PAGE):
        structured += more
    return Talk(conversation, said, await tx.pasts.summary(conversation, generation), chunks, structured)


async def bindings_of(tx: Transaction, conversation: ConversationKey) -> Sequence[tuple[BindingTarget, str]]:
    """Return which personas were chosen for a conversation, its channel, its category and its space."""
    category = await tx.places.category(conversation)
    around = [BindingTarget(conversation.platform, conversation.space_id, category)] if category else []
    chosen = [(target, await tx.bindings.find([target])) for target in (*binding_targets(conversation), *around)]
    return [(target, persona_id) for target, persona_id in chosen if persona_id is not None]


async def known_in_audience(
    tx: Transaction, persona_ids: Iterable[str], audience: Audience, wanted: Wanted, *, names: Iterable[str]
) -> Knowledge:
    """Return what is remembered and known in an audience; of a person those memories that they told or that are about them."""
    scopes = [MemoryScope(persona_id, audience) for persona_id in sorted(persona_ids)]
    memories, pending = await _memories(tx, scopes, wanted), await _pending(tx, scopes, wanted)
    hidden = await hidden_there(
        tx,
        audience,
        [
            *(person for memory in memories for person in (memory.subject, memory.author)),
            *(person for each in pending for person in (each.subject, each.author)),
        ],
    )
    if wanted.person_id or wanted.asker_id in hidden.ids:
        shown, entities, relations = memories, *await _names(tx, audience, wanted, names)
    else:
        entities, relations = await _names(tx, audience, wanted, names)
        shown, entities = shown_memories(memories, hidden), shown_entities(entities, hidden)
        relations = [relation for relation in relations if not hides_relation(relation, hidden)]
        pending = [each for each in pending if not (hidden.hides(each.subject) or hidden.hides(each.author) or hidden.named_in(each.text))]
    journal = [entry for memory in shown for entry in await tx.memories.journal(memory.scope, number=memory.number, limit=MOST_JOURNAL)]
    settings = () if wanted.person_id else sorted((await tx.settings.all(*space_of(audience))).items())
    return Knowledge(audience, shown, journal, entities, relations, settings, pending)


async def _pending(tx: Transaction, scopes: Iterable[MemoryScope], wanted: Wanted) -> list[PendingMemory]:
    found = [each for scope in scopes for each in await tx.pending.page(scope, limit=MOST_PENDING)]
    return [each for each in found if not wanted.person_id or wanted.person_id in {each.author.id, each.subject.id if each.subject else ""}]


async def _memories(tx: Transaction, scopes: Iterable[MemoryScope], wanted: Wanted) -> list[Memory]:
    found: list[Memory] = []
    for scope in scopes:
        after = 0
        while page := await _page(tx, scope, wanted, after):
            found += page
            after = page[-1].number
    return found


async def _page(tx: Transaction, scope: MemoryScope, wanted: Wanted, after: int) -> Sequence[Memory]:
    if wanted.person_id:
        return await tx.memories.about(scope, wanted.person_id, after=after, limit=PAGE)
    return await tx.memories.page(scope, after=after, limit=PAGE)


async def _names(tx: Transaction, audience: Audience, wanted: Wanted, names: Iterable[str]) -> tuple[list[EntityFacts], list[Relation]]:
    if not wanted.person_id:
        entities = list(await tx.entities.page(audience, limit=MOST_NAMES))
        keys = {name_key(name) for facts in entities for name in (facts.name, *facts.aliases)}
        return entities, await _relations(tx, audience, keys)
    keys = {name_key(name) for name in names if name_key(name)}
    found = await tx.entities.known(audience, keys) if keys else ()
    own = [facts for facts in found if facts.person_id == wanted.person_id]
    relations = await _relations(tx, audience, keys)
    return own, [relation for relation in relations if wanted.person_id in (relation.subject_person, relation.object_person)]


async def _relations(tx: Transaction, audience: Audience, keys: Collection[str]) -> list[Relation]:
    ordered, found = sorted(keys), dict[int, Relation]()
    for start in range(0, len(ordered), _KEYS_AT_ONCE):
        some = await tx.relations.about(audience, ordered[start : start + _KEYS_AT_ONCE], limit=_MOST_RELATIONS)
        found |= {relation.id: relation for relation in some}
    return sorted(found.values(), key=lambda relation: relation.id)
