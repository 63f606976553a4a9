"""A look ahead says that nothing is to be written only where that is so."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.domain.past import ChunkState
from bot.jobs.past import PastJob
from bot.memory.past.ahead import look_ahead
from bot.memory.past.chunks import plan_chunks
from bot.nlp.rule_extractor import RuleExtractor
from bot.storage.store import SqlStore
from bot.testing.scribe import Scribe
from tests.unit.memory.past.stage import SMALL, Room, words

EAGER = replace(SMALL, chunk_tokens=100, chunk_lookback=0)


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """Give a room."""
    store = SqlStore(sqlite_url)
    await store.open()
    yield Room(store, EAGER)
    await store.close()


async def test_a_few_words_are_nothing_to_be_written_but_the_check_is_noted(room: Room) -> None:
    said = await room.says("Ada likes tea.")

    ahead = await look_ahead(room.those_who_write(Scribe()))

    assert ahead.is_written
    assert ahead.checked_row == said[-1].id
    assert list(ahead.related) == list(ahead.words.page) == said


async def test_messages_that_make_a_chunk_are_to_be_written(room: Room) -> None:
    await room.says(words(90), words(90))

    ahead = await look_ahead(room.those_who_write(Scribe()))

    assert not ahead.is_written
    assert ahead.checked_row is None


async def test_a_chunk_that_is_planned_is_to_be_written(room: Room) -> None:
    await room.says(words(90), words(90))
    await plan_chunks(room.those_who_write(Scribe()))

    assert not (await look_ahead(room.those_who_write(Scribe()))).is_written

    await room.check(Scribe())
    assert (await look_ahead(room.those_who_write(Scribe()))).is_written
    assert await room.chunks(ChunkState.PLANNED) == []


async def test_without_a_model_nothing_is_to_be_written(room: Room) -> None:
    await room.says(words(90), words(90))

    ahead = await look_ahead(room.those_who_write(None))

    assert ahead.is_written
    assert ahead.checked_row is None


async def test_the_check_is_noted_with_or_without_an_extractor(room: Room) -> None:
    for extractor in (None, RuleExtractor()):
        (said,) = await room.says("Ada likes tea.")
        job: PastJob = replace(room.job(Scribe()), extractor=extractor)

        await job(room.conversation)

        assert (await room.state()).checked_row == said.id
