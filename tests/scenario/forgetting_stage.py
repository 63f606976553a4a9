"""A store in which somebody has said something, with all that becomes of it, and a search through every byte of it."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
from sqlalchemy import text

from bot.domain.chat import BindingTarget, ConversationKey, MemoryScope
from bot.domain.entity import EntityKind, EntityMention
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.memory import EditOrigin, Fold, HandleGroup, RecallNote, Remember, Revise
from bot.domain.message import MessageState, Person, Quote, ReplyTarget, StoredMessage
from bot.domain.model import Usage
from bot.domain.past import Chunk, ChunkState, CorpusKey, PastNote, Relation, RollingSummary, StructuredMemory
from bot.domain.past import CorpusKind as Corpus
from bot.domain.persona import MemoryPolicy
from bot.domain.terms import terms
from bot.memory.edit import MemoryEditor
from bot.memory.past.index import add_structured, document_of
from bot.ports.store import Store, Transaction
from bot.storage.address import file_of, is_file, parsed
from bot.testing.clock import START
from bot.testing.factories import BO, GROUP, a_scope, incoming, kind_of
from tests.migration.databases import connected

ZOE = Person("zoe-77", "Zoelinde")
SECRET = "quokkaberry"
"""A word that only Zoe says."""
SETTING, DIARY = "settingword", "diaryword"
"""What an admin has set, and what a persona has written about a dream."""


async def tell(
    tx: Transaction, message_id: str, said: str, *, author: Person = ZOE, here: ConversationKey = GROUP, quote: Quote | None = None
) -> StoredMessage:
    """Record a message, a minute after the one before."""
    at = START + timedelta(minutes=int(message_id.strip("abcdefghijklmnopqrstuvwxyz-") or 0))
    message = replace(incoming(said, message_id=message_id, author=author, conversation=here, sent_at=at), quote=quote)
    stored = await tx.messages.record(message, MessageState.DONE)
    assert stored is not None
    return stored


async def fill(store: Store, here: ConversationKey = GROUP, *, secret: str = SECRET, person: Person = ZOE) -> None:
    """Let a person tell a secret, and let it get everywhere that a secret can get."""
    scope = a_scope(here, person)
    async with store.write() as tx:
        said = [
            await tell(tx, "m1", f"I bake {secret} pies", author=person, here=here),
            await tell(tx, "m2", "Nice weather today", author=BO, here=here),
            await tell(tx, "m3", "Sounds odd", author=BO, here=here, quote=Quote("m1", person, f"I bake {secret} pies")),
        ]
        target = ReplyTarget(here, kind_of(here), "m1")
        reply = await tx.messages.record_reply(target, "iris", "Iris", f"A {secret} pie, lovely!", at=START)
        unsent = await tx.messages.record_reply(target, "iris", "Iris", f"More on {secret}", at=START)
        await tx.outbox.put(target, f"More on {secret}", unsent.id)
        said += [reply, unsent, await tell(tx, "m6", "Good night all", author=BO, here=here)]
        await _remember(tx, scope, person, secret, said[0].id)
        await tx.messages.note_recalled(
            reply.id, [RecallNote(1, f"shares the word {secret}", used=True)], [PastNote(Corpus.TURNS, said[0].id, secret)]
        )
        await _summarise(tx, here, said, secret)
        await tx.entities.add(
            scope.audience, said[0].id, [_person(person), EntityMention(secret.title(), EntityKind.PRODUCT, f"I bake {secret} pies")]
        )
        await tx.entities.add(scope.audience, said[1].id, [EntityMention("Today", EntityKind.EVENT, "Nice weather today")])
        await tx.relations.add(
            scope.audience,
            Relation(person.display_name, "bakes", secret, START, said[0].id, f"I bake {secret} pies", subject_person=person.id),
        )
        key = CorpusKey(here)
        await tx.corpora.add(key, [document_of(each) for each in said])
        await tx.corpora.put_vectors(key, "e", [each.id for each in said], np.eye(len(said), 8, dtype=np.float32))
        await tx.pasts.note(here, indexed_row=said[-1].id, checked_row=said[-1].id, related_row=said[-1].id)
        await _note_about(tx, scope, here)


async def _remember(tx: Transaction, scope: MemoryScope, person: Person, secret: str, row: int) -> None:
    editor = MemoryEditor(tx, scope, MemoryPolicy(), START)
    origin = EditOrigin("persona:iris", "said in conversation", person, (row,))
    number = await tx.memories.reserve_number(scope)
    await editor.apply(Remember(number, f"Bakes {secret} pie", person, group=f"{secret}s"), origin)
    await editor.apply(Revise(number, f"Bakes {secret} pies"), origin)
    bos = await tx.memories.reserve_number(scope)
    await editor.apply(Remember(bos, "Bo likes the weather", BO), EditOrigin("persona:iris", "said in conversation", BO, (row + 1,)))
    await tx.memories.set_fold(scope, Fold((number,), groups=(HandleGroup(f"{secret}s", 1, ("12345678",)),)))


async def _summarise(tx: Transaction, here: ConversationKey, said: list[StoredMessage], secret: str) -> None:
    first, last = said[0], said[-2]
    chunks = [
        Chunk(0, here, 0, first.id, last.id, 5, START, START, f"About {secret} pies.", ChunkState.DONE, is_read=True),
        Chunk(0, here, 0, said[-1].id, said[-1].id, 1, START, START, "They said good night.", ChunkState.DONE, is_read=True),
    ]
    planned = await tx.pasts.plan(here, chunks)
    assert len(planned) == 2
    await tx.pasts.add_summary(RollingSummary(here, 0, f"They spoke of {secret}.", last.id, START))
    memory = StructuredMemory(0, here, 0, f"{secret} pies", f"A pie of {secret}", (secret,), (f"{secret} pie",), first.id, last.id, START)
    await add_structured(tx, here, await tx.pasts.add_structured([memory]))


async def _note_about(tx: Transaction, scope: MemoryScope, here: ConversationKey) -> None:
    await tx.usage.add(here, "iris", Usage("m", 3, 2), START)
    await tx.settings.set(here.platform, here.space_id, "dream.time", SETTING)
    await tx.bindings.bind(BindingTarget(here.platform, here.space_id), "iris")
    await tx.nights.finish(JobRecord(f"run {here}", DREAM, str(scope), JobState.DONE, START, 1.0, diary=f"{DIARY}, I dreamt."))


def _person(person: Person) -> EntityMention:
    return EntityMention(person.display_name, EntityKind.PERSON, "", person_id=person.id)


def found_in(url: str, *words: str) -> list[str]:
    """Return where any of the words stand: in files of a SQLite database, or in tables of a server.

    Case does not matter, and the forms by which search knows the words count, too.
    """
    words = (*words, *(form for word in words if word.isalpha() for form in terms(word)))
    marks = [mark for word in words for mark in (word.casefold().encode(), word.encode().hex().encode())]
    return sorted(name for name, content in contents(url).items() if any(mark in content.lower() for mark in marks))


def contents(url: str) -> dict[str, bytes]:
    """Return all that is kept: files of a SQLite database by their names, or the rows of a server's tables by theirs.

    SQLite's shared memory file is left out: it holds locks, not data.
    """
    if is_file(parsed(url)):
        path = file_of(parsed(url))
        assert path is not None
        return {file.name: file.read_bytes() for file in path.parent.glob(f"{path.name}*") if not file.name.endswith("-shm")}
    with connected(url) as connection:
        tables = connection.execute(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).scalars().all()
        return {table: "\n".join(connection.execute(text(f'SELECT t::text FROM "{table}" t')).scalars().all()).encode() for table in tables}


async def everything(store: Store, here: ConversationKey) -> list[object]:
    """Return all that a conversation's readers see, to be compared."""
    scope = a_scope(here, BO)
    async with store.read() as tx:
        documents = await tx.corpora.documents(CorpusKey(here))
        return [
            list(await tx.messages.page(here, limit=99)),
            list(await tx.memories.page(scope, limit=99)),
            list(await tx.memories.journal(scope, limit=99)),
            list(await tx.pasts.last_chunks(here, 0, limit=99)),
            await tx.pasts.summary(here, 0),
            list(await tx.pasts.structured_page(here, 0, limit=99)),
            list(await tx.entities.page(scope.audience, limit=99)),
            documents.ids.tolist(),
            [person.id for person in documents.people],
            list(await tx.outbox.unsent(here)),
            await tx.settings.all(here.platform, here.space_id),
            await tx.usage.totals(here),
        ]
