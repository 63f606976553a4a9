"""The pieces of an erasure, each small enough for one transaction. Each can be done again, and finds nothing then."""

from datetime import datetime

from bot.domain.chat import Audience
from bot.domain.erasing import Counts, DeletedMessages, ErasedPlace, Erasure, Kept, OneMemory, OnePerson, OneSpace, added
from bot.domain.past import CorpusKey, CorpusKind
from bot.memory.erasing.echoes import answers_to, echoes, repeats
from bot.memory.erasing.rows import take_rows, take_structured
from bot.ports.store import Transaction

BATCH = 100
"""Messages, or memories, a transaction."""


async def take_memory(tx: Transaction, erasure: Erasure, target: OneMemory, at: datetime) -> Counts:
    """Forget a fact with its author's words, what else says all of it, and personas' lines that repeat it; return what went."""
    memory = await tx.memories.get(target.scope, target.number)
    if memory is None:
        return {}
    counts: Counts = {}
    audience = target.scope.audience
    if target.asker_id not in {"", memory.author.id}:
        return await tx.erasures.take_memory(target.scope, memory.number, memory.id, at)
    told = {row for each in await tx.erasures.resting(audience, memory.source_message_ids) if each.id == memory.id for row in each.rows}
    found = [said for row in sorted(told) if (said := await tx.messages.get(audience, row)) is not None]
    own = [said for said in found if said.author.id == memory.author.id and not said.author.is_bot]
    for place in erasure.plan.places:
        sources = [said for said in own if said.conversation == place.conversation]
        again = await repeats(tx, place.conversation, memory, sources)
        counts = added(counts, await take_rows(tx, place.conversation, [*sources, *again], [audience], only=memory, at=at))
    return added(counts, await tx.erasures.take_memory(target.scope, memory.number, memory.id, at))


async def take_whole_audience(tx: Transaction, audience: Audience) -> Counts:
    """Take all that was remembered and learned of an audience; return what went."""
    return await tx.erasures.take_audience(audience)


async def take_person_memories(tx: Transaction, audience: Audience, person: OnePerson, at: datetime) -> tuple[Counts, bool]:
    """Take the next memories about a person; say whether there may be more."""
    counts: Counts = {}
    memories = await tx.erasures.of_person(audience, person.person_id, limit=BATCH)
    for memory in memories:
        counts = added(counts, await tx.erasures.take_memory(memory.scope, memory.number, memory.id, at))
    return counts, len(memories) == BATCH


async def take_person_names(tx: Transaction, place: ErasedPlace, person: OnePerson) -> Counts:
    """Take what is known of a person by name; return what went. Call it before their messages go, which tell the names."""
    names = await tx.erasures.names_of(place.conversation, person.person_id)
    counts: Counts = {}
    for audience in place.audiences:
        taken = await tx.erasures.take_person(audience, person.person_id, names)
        await take_structured(tx, taken)
        counts = added(counts, taken.counts)
    return counts


async def take_messages(tx: Transaction, erasure: Erasure, place: ErasedPlace, at: datetime) -> tuple[Counts, bool]:
    """Take the next messages of a place; say whether there may be more."""
    target, here = erasure.target, place.conversation
    if isinstance(target, OnePerson) and not place.is_whole:
        person = target.person_id
        said = await tx.erasures.said(here, person_id=person, limit=BATCH)
        again = await echoes(tx, here, person, said) if said else []
        return await take_rows(tx, here, [*said, *again], place.audiences, person_id=person, at=at), len(said) == BATCH
    if isinstance(target, DeletedMessages):
        said = await tx.erasures.said(here, message_ids=target.message_ids, limit=BATCH)
        again = await answers_to(tx, here, said) if said else []
        return await take_rows(tx, here, [*said, *again], place.audiences, at=at), len(said) == BATCH
    said = await tx.erasures.said(here, limit=BATCH)
    return await take_rows(tx, here, said, place.audiences, at=at), len(said) == BATCH


async def take_documents(tx: Transaction, place: ErasedPlace) -> Counts:
    """Let search find nothing of a place any more; return what went."""
    counted = len((await tx.corpora.documents(CorpusKey(place.conversation))).ids)
    for kind in CorpusKind:
        await tx.corpora.clear(CorpusKey(place.conversation, kind))
    return {Kept.DOCUMENTS: counted} if counted else {}


async def take_space(tx: Transaction, erasure: Erasure) -> Counts:
    """Take the settings of a space, or those of a person's direct chats; return what went."""
    match erasure.target:
        case OneSpace(platform, space_id):
            return await tx.erasures.take_space(platform, space_id)
        case OnePerson(platform, person_id, None, ""):
            counts = await tx.erasures.take_space(platform, f"person:{person_id}")
            for place in (place for place in erasure.plan.places if place.is_whole):
                counts = added(counts, await tx.erasures.take_space(platform, place.conversation.space_id))
            return counts
        case _:
            return {}
