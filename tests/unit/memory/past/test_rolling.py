"""The rolling summary beyond what the conformance tests say of it."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.domain.past import ChunkState
from bot.errors import ModelUnavailable
from bot.memory.past.condense import condense
from bot.memory.past.parked import given_up
from bot.memory.past.rolling import write_summary
from bot.storage.store import SqlStore
from bot.testing.scribe import Asked, Scribe
from tests.conformance.test_w_writers import chunks_of
from tests.unit.memory.past.stage import SMALL, Room

CONDENSING = replace(SMALL, condense=4, condense_buffer=1)


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Give a room."""
    store = SqlStore(database_url)
    await store.open()
    yield Room(store, CONDENSING)
    await store.close()


async def test_a_chunk_that_is_still_to_be_written_is_waited_for(room: Room) -> None:
    made = await chunks_of(room, "note0", "note1", "note2", "note3")
    async with room.store.write() as tx:
        await tx.pasts.put(replace(made[0], state=ChunkState.PLANNED))

    assert await write_summary(room.those_who_write(Scribe())) == 0

    async with room.store.write() as tx:
        await tx.pasts.put(replace(made[0], state=ChunkState.PARKED))
    assert await write_summary(room.those_who_write(Scribe())) == 1


async def test_condensing_takes_no_chunk_from_the_summary(room: Room) -> None:
    await chunks_of(room, "note0", "note1", "note2", "note3", "note4")
    assert await write_summary(room.those_who_write(Scribe())) == 1
    assert await condense(room.those_who_write(Scribe()))
    await chunks_of(room, "note5")
    scribe = Scribe()

    assert await write_summary(room.those_who_write(scribe)) == 1

    assert scribe.of(Asked.SUMMARY)[0].partition("<notes>")[2].count("<note ") == 3
    assert all(f">note{number}<" in scribe.of(Asked.SUMMARY)[0] for number in (3, 4, 5))


async def test_what_was_condensed_twice_counts_as_its_originals(room: Room) -> None:
    await chunks_of(room, *(f"note{number}" for number in range(8)))
    for _ in range(2):
        assert await condense(room.those_who_write(Scribe()))
    scribe = Scribe()

    await write_summary(room.those_who_write(scribe))

    shown = [text.partition("<notes>")[2] for text in scribe.of(Asked.SUMMARY)]
    assert [[number for number in range(8) if f">note{number}<" in text] for text in shown] == [[0, 1, 2], [3, 4, 5]]


async def test_failures_in_a_row_are_counted_and_told(room: Room) -> None:
    await chunks_of(room, "note0", "note1", "note2")
    for reply in ("", ModelUnavailable("out"), ""):
        scribe = Scribe({Asked.SUMMARY: [reply]})
        try:
            await write_summary(room.those_who_write(scribe))
        except ModelUnavailable:
            assert reply != ""

    async with room.store.read() as tx:
        before = await given_up(tx, room.conversation)
    await write_summary(room.those_who_write(Scribe()))
    async with room.store.read() as tx:
        after = await given_up(tx, room.conversation)

    assert (before.summary_failures, after.summary_failures) == (3, 0)


async def test_condensing_waits_for_structured_memories_and_for_missing_summaries(room: Room) -> None:
    made = await chunks_of(room, *(f"note{number}" for number in range(6)))
    async with room.store.write() as tx:
        await tx.pasts.put(replace(made[1], is_read=False))
    assert not await condense(room.those_who_write(Scribe()), after_reading=True)
    async with room.store.write() as tx:
        await tx.pasts.put(replace(made[1], state=ChunkState.PLANNED))
    assert not await condense(room.those_who_write(Scribe()))

    async with room.store.write() as tx:
        await tx.pasts.put(replace(made[1], state=ChunkState.PARKED))

    assert await condense(room.those_who_write(Scribe()))
    assert [chunk.summary for chunk in await room.chunks()] == ["All of: note0 / note2 / note3 / note4", "note5"]


@pytest.mark.parametrize("condense_at", [0, 1])
async def test_condensing_can_be_turned_off(room: Room, condense_at: int) -> None:
    room.policy = replace(CONDENSING, condense=condense_at, condense_buffer=0)
    await chunks_of(room, "note0", "note1", "note2")

    assert not await condense(room.those_who_write(Scribe()))
