"""What was said becomes findable."""

from collections.abc import AsyncIterator, Sequence

import pytest

from bot.domain.message import MessageState
from bot.domain.past import CorpusKey, CorpusKind, Document
from bot.domain.steps import USUAL_WRITERS
from bot.errors import EmbedderUnavailable
from bot.llm.embedders.hashing import HashingEmbedder
from bot.memory.past.index import embedded_text, index_structured, index_vectors, index_words, reindex
from bot.ports.embedder import Vectors
from bot.storage.store import SqlStore
from bot.testing.factories import BO, DIRECT, stored
from bot.testing.scribe import Scribe
from tests.unit.memory.past.stage import Room

TURNS = CorpusKey(DIRECT)
STRUCTURED = CorpusKey(DIRECT, CorpusKind.STRUCTURED)


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Give a room with an embedder."""
    store = SqlStore(database_url)
    await store.open()
    yield Room(store, embedder=HashingEmbedder())
    await store.close()


async def places(room: Room, word: str, key: CorpusKey = TURNS) -> list[int]:
    """Return the ids of the documents with a word."""
    async with room.store.read() as tx:
        documents = await tx.corpora.documents(key)
        found = await tx.corpora.postings(key, [word])
    return [int(documents.ids[place]) for place in found[word].places] if word in found else []


async def unembedded(room: Room, embedder: str = "hashing@1-512") -> list[int]:
    async with room.store.read() as tx:
        return list(await tx.corpora.without_vectors(TURNS, embedder, limit=1000))


async def test_all_messages_but_failed_ones_are_found_by_their_words(room: Room) -> None:
    heard, failed = await room.says("rain in Oslo", "rain on nobody")
    own = await room.replies("rain it is")
    async with room.store.write() as tx:
        await tx.messages.set_state([failed.id], MessageState.FAILED)

    assert await index_words(room.those_who_write(None)) == 2

    async with room.store.read() as tx:
        documents = await tx.corpora.documents(TURNS)
    assert await places(room, "rain") == [heard.id, own.id]
    assert list(documents.of_persona) == [False, True]
    assert await index_words(room.those_who_write(None)) == 0


async def test_vectors_come_in_batches_and_are_told_of(room: Room) -> None:
    await room.says(*(f"message {number}" for number in range(150)))
    writers, told = room.those_who_write(None), list[tuple[int, int]]()
    await index_words(writers)

    done = await index_vectors(writers, CorpusKind.TURNS, progress=lambda done, of: told.append((done, of)))

    assert done == 150
    assert told == [(64, 150), (128, 150), (150, 150)]
    assert await unembedded(room) == []


async def test_another_embedder_reads_everything_anew(room: Room) -> None:
    await room.says("one", "two")
    await index_words(room.those_who_write(None))
    await index_vectors(room.those_who_write(None), CorpusKind.TURNS)
    room.embedder = HashingEmbedder(64)

    assert await index_vectors(room.those_who_write(None), CorpusKind.TURNS) == 2
    assert await unembedded(room, room.embedder.name) == []


class OutOfReach(HashingEmbedder):
    """An embedder that gives no vectors after the first batch."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Sequence[str]] = []

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return vectors once."""
        self.asked.append(texts)
        if len(self.asked) > 1:
            raise EmbedderUnavailable("The embedder is out of reach.")
        return await super().passages(texts)


async def test_an_embedder_out_of_reach_is_asked_again_by_the_next_call_the_newest_first(room: Room) -> None:
    said = await room.says(*(f"message {number}" for number in range(100)))
    await index_words(room.those_who_write(None))
    room.embedder = OutOfReach()

    assert await index_vectors(room.those_who_write(None), CorpusKind.TURNS) == 64
    assert set(await unembedded(room)) == {message.id for message in said[:36]}
    room.embedder = HashingEmbedder()
    assert await index_vectors(room.those_who_write(None), CorpusKind.TURNS) == 36


async def test_a_message_that_is_no_more_is_taken_out(room: Room) -> None:
    (kept,) = await room.says("kept")
    async with room.store.write() as tx:
        await tx.corpora.add(TURNS, [Document(kept.id + 9, "gone", BO, kept.sent_at)])

    await index_vectors(room.those_who_write(None), CorpusKind.TURNS)

    assert await places(room, "gone") == []


async def test_an_edited_message_is_found_by_its_new_text_alone_and_embedded_anew(room: Room) -> None:
    message, answer, _ = await room.says("tea", "yes", "no")
    await index_words(room.those_who_write(None))
    await index_vectors(room.those_who_write(None), CorpusKind.TURNS)

    async with room.store.write() as tx:
        await tx.messages.change_text(DIRECT, message.message_id, "rain")
        (changed,) = await tx.messages.several(DIRECT, [message.id])
        await reindex(tx, changed)

    assert (await places(room, "tea"), await places(room, "rain")) == ([], [message.id])
    assert sorted(await unembedded(room)) == [message.id, answer.id]


async def test_an_edited_message_that_was_not_indexed_is_left_to_the_job(room: Room) -> None:
    (message,) = await room.says("tea")

    async with room.store.write() as tx:
        await reindex(tx, message)

    assert await places(room, "tea") == []


async def test_structured_memories_are_found_and_lost_ones_come_back(room: Room) -> None:
    room.writers = USUAL_WRITERS
    await room.says(*(f"tells of place{number}" for number in range(8)))
    await room.check(Scribe())
    (memory,) = await room.structured()
    assert await places(room, "place0", STRUCTURED) == [memory.id]
    async with room.store.write() as tx:
        await tx.corpora.clear(STRUCTURED)

    assert await index_structured(room.those_who_write(None)) == 1
    assert await places(room, "place0", STRUCTURED) == [memory.id]


def test_a_message_is_embedded_with_its_speaker() -> None:
    assert embedded_text(stored("A cat.")) == "Ada: A cat."
