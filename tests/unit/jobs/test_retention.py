"""Old messages go; what was written about them stays."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.chat import ConversationKey, space_of
from bot.domain.entity import EntityKind, EntityMention
from bot.domain.message import MessageState
from bot.domain.past import Chunk, ChunkState, CorpusKey, Document, StructuredMemory
from bot.domain.privacy import RETENTION_SETTING, Keeping, days_kept, host_of
from bot.jobs.retention import Retention
from bot.memory.past.carry import carry_over
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import ADA, DIRECT, GROUP, a_memory, a_scope, incoming

OLD, NEW = START - timedelta(days=100), START - timedelta(days=10)


async def fill(store: SqlStore, conversation: ConversationKey = GROUP, *, old: int = 3) -> list[int]:
    """Store old messages that are summarised and findable, and a new one; return their rows."""
    async with store.write() as tx:
        rows = []
        for number in range(old + 1):
            message = incoming(f"word{number} Rex", message_id=f"{number}", conversation=conversation, sent_at=OLD if number < old else NEW)
            stored = await tx.messages.record(message, MessageState.DONE)
            assert stored is not None
            rows.append(stored.id)
            await tx.corpora.add(CorpusKey(conversation), [Document(stored.id, stored.text, ADA, stored.sent_at)])
        await tx.pasts.plan(
            conversation, [Chunk(0, conversation, 0, rows[0], rows[old - 1], old, OLD, OLD, "They talked.", ChunkState.DONE)]
        )
    return rows


async def left(store: SqlStore, conversation: ConversationKey = GROUP) -> list[int]:
    """Return the rows that are still there."""
    async with store.read() as tx:
        return [message.id for message in await tx.messages.page(conversation, limit=1000)]


def retention(store: SqlStore, *, days: int = 90, clock: FrozenClock | None = None) -> Retention:
    """Return the job."""
    return Retention(store, clock or FrozenClock(START), Keeping(days), rest_seconds=0)


async def test_old_messages_go_with_their_words_and_names_and_summaries_and_memories_stay(store: SqlStore) -> None:
    rows = await fill(store)
    scope = a_scope(GROUP)
    async with store.write() as tx:
        await tx.entities.add(scope.audience, rows[0], [EntityMention("Rex", EntityKind.OTHER, "word0 Rex")])
        await tx.memories.add(replace(a_memory("Ada has Rex", scope=scope), source_message_ids=(rows[0],)))

    assert await retention(store).remove_old() == 3

    assert await left(store) == rows[3:]
    async with store.read() as tx:
        assert list((await tx.corpora.documents(CorpusKey(GROUP))).ids) == rows[3:]
        assert await tx.corpora.postings(CorpusKey(GROUP), ["word0"]) == {}
        assert await tx.entities.mentions(scope.audience, "Rex", limit=9) == []
        assert [chunk.summary for chunk in await tx.pasts.chunks(GROUP, 0, limit=9)] == ["They talked."]
        (memory,) = await tx.memories.page(scope, limit=9)
        assert await tx.messages.get(scope.audience, memory.source_message_ids[0]) is None


@pytest.mark.parametrize(("days", "set_to", "kept"), [(90, "", 90), (90, "7", 7), (7, "90", 7), (0, "7", 7), (0, "", 0), (90, "x", 90)])
def test_a_space_can_only_shorten(days: int, set_to: str, kept: int) -> None:
    assert days_kept(Keeping(days), set_to) == kept


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://api.example.org/v1", "api.example.org"),
        ("http://me:secret@llm.lan:8080/v1?key=1", "llm.lan"),
        ("http://localhost:11434/v1", ""),
        ("http://127.0.0.1:1/v1", ""),
        ("http://[::1]:1/v1", ""),
        ("", ""),
    ],
)
def test_of_an_address_nothing_but_the_host_is_told(address: str, host: str) -> None:
    assert host_of(address) == host


async def test_for_ever_is_for_ever_except_where_admins_set_days(store: SqlStore) -> None:
    rows, direct = await fill(store), await fill(store, DIRECT)
    assert await retention(store, days=0).remove_old() == 0
    async with store.write() as tx:
        await tx.settings.set(*space_of(a_scope(DIRECT).audience), RETENTION_SETTING, "5")

    assert await retention(store, days=0).remove_old() == 3
    assert await left(store) == rows
    assert await left(store, DIRECT) == direct[3:]


async def test_many_go_in_several_transactions(store: SqlStore) -> None:
    rows = await fill(store, old=450)

    assert await retention(store).remove_old() == 450
    assert await left(store) == rows[450:]
    assert await retention(store).remove_old() == 0


async def test_it_is_done_once_a_day_in_all_processes(store: SqlStore) -> None:
    clock = FrozenClock(START)
    one, other = retention(store, clock=clock), retention(store, clock=clock)
    await one.ring()
    rows = await fill(store)

    await one.ring()
    await other.ring()
    assert await left(store) == rows
    clock.move(seconds=24 * 3600)
    await other.ring()
    assert await left(store) == rows[3:]


async def test_summaries_of_what_is_gone_outlive_a_regeneration(store: SqlStore) -> None:
    rows = await fill(store)
    async with store.write() as tx:
        await tx.pasts.add_structured([StructuredMemory(0, GROUP, 0, "Rex", "They spoke of Rex.", (), (), rows[0], rows[2], OLD)])
    await retention(store).remove_old()

    async with store.write() as tx:
        building = await tx.pasts.begin_building(GROUP, chunk_tokens=0)
        assert await carry_over(tx, GROUP, building) == 1
        assert await carry_over(tx, GROUP, building) == 0
        await tx.pasts.finish_building(GROUP)

    async with store.read() as tx:
        assert [(chunk.summary, chunk.is_read) for chunk in await tx.pasts.chunks(GROUP, building, limit=9)] == [("They talked.", True)]
        assert [each.title for each in await tx.pasts.structured_page(GROUP, building, limit=9)] == ["Rex"]
