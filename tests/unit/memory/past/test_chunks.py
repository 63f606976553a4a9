"""Chunks beyond what the conformance tests say of them."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.domain.message import MessageState
from bot.domain.past import ChunkState
from bot.errors import ModelUnavailable
from bot.memory.past.chunks import plan_chunks, write_chunks
from bot.memory.past.lines import CUT
from bot.storage.store import SqlStore
from bot.testing.scribe import Asked, Scribe
from tests.unit.memory.past.stage import SMALL, Room, words

EAGER = replace(SMALL, chunk_tokens=100, chunk_lookback=0)


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Give a room."""
    store = SqlStore(database_url)
    await store.open()
    yield Room(store, EAGER)
    await store.close()


async def test_a_message_longer_than_a_chunk_is_one_and_is_cut_visibly(room: Room) -> None:
    await room.says("hi", words(500), "ho")
    scribe = Scribe()

    assert await write_chunks(room.those_who_write(scribe)) == 3

    assert [chunk.messages for chunk in await room.chunks()] == [1, 1, 1]
    assert CUT in scribe.of(Asked.CHUNK)[1]
    assert len(scribe.of(Asked.CHUNK)[1].split()) < 150


async def test_the_personas_lines_stand_under_its_name(room: Room) -> None:
    await room.says(words(90))
    await room.replies(words(90))
    scribe = Scribe()

    await write_chunks(room.those_who_write(scribe))

    assert "\nIris: word" in scribe.of(Asked.CHUNK)[1]


async def test_an_outage_ends_the_run_and_counts_for_the_first_chunk_alone(room: Room) -> None:
    await room.says(words(90), words(90))
    scribe = Scribe({Asked.CHUNK: [ModelUnavailable("out")]})

    with pytest.raises(ModelUnavailable):
        await write_chunks(room.those_who_write(scribe))

    assert [chunk.failures for chunk in await room.chunks(ChunkState.PLANNED)] == [1, 0]
    assert len(scribe.prompts) == 1


async def test_without_a_model_nothing_is_planned(room: Room) -> None:
    await room.says(words(90), words(90))

    assert await write_chunks(room.those_who_write(None)) == 0
    assert await room.chunks(*ChunkState) == []


async def test_a_chunk_of_which_nothing_is_left_is_parked_without_a_question(room: Room) -> None:
    said = await room.says(words(120))
    await plan_chunks(room.those_who_write(Scribe()))
    async with room.store.write() as tx:
        await tx.messages.set_state([said[0].id], MessageState.FAILED)
    scribe = Scribe()

    await write_chunks(room.those_who_write(scribe))

    assert scribe.prompts == []
    assert [chunk.state for chunk in await room.chunks(*ChunkState)] == [ChunkState.PARKED]


async def test_what_an_answer_costs_is_noted(room: Room) -> None:
    await room.says(words(120))

    await write_chunks(room.those_who_write(Scribe()))

    async with room.store.read() as tx:
        assert (await tx.usage.totals(room.conversation)).prompt_tokens == 1


async def test_all_of_the_history_is_shared_out_whatever_its_pages(room: Room) -> None:
    said = await room.says(*(words(30) for _ in range(450)))

    await plan_chunks(room.those_who_write(Scribe()))

    chunks = await room.chunks(*ChunkState)
    assert sum(chunk.messages for chunk in chunks) == len(said)
    assert [chunk.first_row for chunk in chunks[1:]] == [chunk.last_row + 1 for chunk in chunks[:-1]]
