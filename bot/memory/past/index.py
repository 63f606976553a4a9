"""Making what was said findable: by words at once, by meaning when an embedder is there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.domain.chat import ConversationKey
from bot.domain.message import Person, StoredMessage
from bot.domain.naming import shown_name
from bot.domain.past import CorpusKey, CorpusKind, Document, StructuredMemory
from bot.errors import EmbedderUnavailable
from bot.memory.hidden import spoken_by_others
from bot.memory.past.lines import is_own
from bot.memory.past.writers import PAGE, Writers
from bot.ports.embedder import Embedder
from bot.ports.store import Transaction

WORDS_AT_ONCE = 100
VECTORS_AT_ONCE = 64
MOST_COUNTED = 1_000_000
NOBODY = Person("", "", is_service=True)
"""Who speaks in a structured memory."""

log = structlog.get_logger(__name__)

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


@dataclass(frozen=True, slots=True)
class Unembedded:
    """Documents that an embedder is to read."""

    ids: Sequence[int]
    texts: Sequence[str]
    gone: Sequence[int]
    """Ids of which nothing is left to be read."""


def document_of(message: StoredMessage) -> Document:
    """Return a message as search finds it."""
    return Document(message.id, message.text, message.author, message.sent_at, of_persona=is_own(message))


def embedded_text(message: StoredMessage) -> str:
    """Return what a message's vector is made of: its speaker and text. Neighbours lend each other likeness when they are ranked."""
    return f"{shown_name(message.author)}: {message.text}"


async def reindex(tx: Transaction, message: StoredMessage) -> None:
    """Let search find an edited message by its new text, if it could be found before.

    Its vector, and that of the message after it, which is made of both, come anew with the next job.
    """
    state = await tx.pasts.state(message.conversation)
    after = await tx.messages.page(message.conversation, after=message.id, limit=1)
    known = [each for each in (message, *after) if each.id <= state.indexed_row]
    if known:
        await tx.corpora.add(CorpusKey(message.conversation), [document_of(each) for each in known])


async def add_structured(tx: Transaction, conversation: ConversationKey, memories: Sequence[StructuredMemory]) -> None:
    """Let search find structured memories by their words."""
    documents = [Document(memory.id, memory.text, NOBODY, memory.at) for memory in memories]
    if documents:
        await tx.corpora.add(CorpusKey(conversation, CorpusKind.STRUCTURED), documents)


@dataclass(frozen=True, slots=True)
class Unindexed:
    """A page of messages that search does not know."""

    page: Sequence[StoredMessage]
    found: Sequence[StoredMessage]
    """Those that it is to find: the others are of people who opted out."""


async def unindexed(tx: Transaction, writers: Writers) -> Unindexed:
    """Return the next page."""
    after = (await tx.pasts.state(writers.conversation)).indexed_row
    page = await tx.messages.page(writers.conversation, after=after, limit=WORDS_AT_ONCE)
    return Unindexed(page, await spoken_by_others(tx, writers.conversation, page))


async def index_words(writers: Writers, first: Unindexed | None = None) -> int:
    """Let search find all messages that it does not know by their words, a page a transaction; return how many there were.

    Those of people who opted out are passed over. The first page may have been read already.
    """
    indexed = 0
    while True:
        if first is None:
            async with writers.store.read() as tx:
                first = await unindexed(tx, writers)
        page, found, first = first.page, first.found, None
        if page:
            async with writers.store.write() as tx:
                await tx.corpora.add(CorpusKey(writers.conversation), [document_of(message) for message in found])
                await tx.pasts.note(writers.conversation, indexed_row=page[-1].id)
        indexed += len(page)
        if len(page) < WORDS_AT_ONCE:
            return indexed


async def index_structured(writers: Writers) -> int:
    """Let search find the structured memories that are shown and that it does not know, in the order of their ids; return how many."""
    indexed, key = 0, CorpusKey(writers.conversation, CorpusKind.STRUCTURED)
    while True:
        async with writers.store.read() as tx:
            state = await tx.pasts.state(writers.conversation)
            known = (await tx.corpora.documents(key)).ids
            after = int(known[-1]) if len(known) else 0
            page = await tx.pasts.structured_page(writers.conversation, state.generation, after=after, limit=PAGE)
        if not page:
            return indexed
        async with writers.store.write() as tx:
            await add_structured(tx, writers.conversation, page)
        indexed += len(page)


async def index_vectors(writers: Writers, kind: CorpusKind, *, progress: Progress | None = None) -> int:
    """Embed what has no vector of the present embedder, the newest first, a batch a transaction; return how many were embedded.

    An embedder that gives no vectors ends it; the rest comes with the next call.
    """
    if writers.embedder is None:
        return 0
    done, waiting = 0, await _waiting(writers, writers.embedder, kind)
    while batch := await _unembedded(writers, writers.embedder, kind):
        try:
            await _embed(writers, writers.embedder, CorpusKey(writers.conversation, kind), batch)
        except EmbedderUnavailable as problem:
            log.warning("not_embedded", platform=writers.conversation.platform, left=waiting - done, problem=str(problem))
            return done
        done += len(batch.ids)
        waiting = max(waiting, done)
        log.info("embedded", platform=writers.conversation.platform, kind=kind, done=done, of=waiting)
        if progress is not None:
            progress(done, waiting)
        if kind is CorpusKind.TURNS:
            await index_words(writers)
    return done


async def _embed(writers: Writers, embedder: Embedder, key: CorpusKey, batch: Unembedded) -> None:
    vectors = await embedder.passages(batch.texts) if batch.texts else None
    async with writers.store.write() as tx:
        if batch.gone:
            await tx.corpora.remove(key, batch.gone)
        if vectors is not None:
            await tx.corpora.put_vectors(key, embedder.name, batch.ids, vectors)


async def _waiting(writers: Writers, embedder: Embedder, kind: CorpusKind) -> int:
    async with writers.store.read() as tx:
        key = CorpusKey(writers.conversation, kind)
        return len(await tx.corpora.without_vectors(key, embedder.name, limit=MOST_COUNTED))


async def _unembedded(writers: Writers, embedder: Embedder, kind: CorpusKind) -> Unembedded | None:
    key = CorpusKey(writers.conversation, kind)
    async with writers.store.read() as tx:
        ids = await tx.corpora.without_vectors(key, embedder.name, limit=VECTORS_AT_ONCE)
        if not ids:
            return None
        if kind is CorpusKind.STRUCTURED:
            texts = {memory.id: memory.text for memory in await tx.pasts.structured(writers.conversation, ids)}
        else:
            said = await tx.messages.several(writers.conversation, ids)
            # Lines of people who opted out leave the search rather than go to an embedder, which may be far away.
            texts = {message.id: embedded_text(message) for message in await spoken_by_others(tx, writers.conversation, said)}
    here = [each for each in ids if each in texts]
    return Unembedded(here, [texts[each] for each in here], [each for each in ids if each not in texts])
