"""Writing the past anew."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.domain.limits import HouseRules, Limits, day_of
from bot.domain.model import ChatRequest, ModelEvent
from bot.domain.past import ChunkState, CorpusKey, CorpusKind
from bot.domain.steps import USUAL_WRITERS
from bot.errors import ModelUnavailable
from bot.memory.past.lease import HeldLease
from bot.memory.past.regenerate import RegenerationState
from bot.memory.spending import Spending
from bot.storage.store import SqlStore
from bot.testing.factories import DIRECT
from bot.testing.scribe import Asked, Scribe
from tests.unit.memory.past.stage import SMALL, Room, words

POLICY = replace(SMALL, chunk_tokens=100, chunk_lookback=0, condense=0)


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Give a room with six chunks that stand."""
    store = SqlStore(database_url)
    await store.open()
    room = Room(store, POLICY, USUAL_WRITERS)
    await room.says(*(f"{words(45)} p{number}" for number in range(12)))
    await room.check(Scribe())
    yield room
    await store.close()


async def test_everything_is_rebuilt_in_order_without_gaps_or_doubles(room: Room) -> None:
    told: list[tuple[int, int]] = []
    before = await room.chunks()

    report = await room.regeneration().regenerate(
        DIRECT, room.persona, Scribe(), chunk_tokens=200, progress=lambda done, of: told.append((done, of))
    )

    chunks = await room.chunks()
    lines = [line.split()[-1] for chunk in chunks for line in chunk.summary.split("\n")]
    assert lines == [f"p{number}" for number in range(12)]
    assert (report.state, report.chunks, report.parked) == (RegenerationState.DONE, len(chunks), 0)
    assert len(chunks) < len(before)
    assert told[-1] == (7, 7)
    assert [done for done, _ in told] == list(range(1, 8))


async def test_it_goes_on_when_something_is_erased_meanwhile(room: Room) -> None:
    go_on = asyncio.Event()
    scribe = Scribe(waits_for=go_on)

    writing = asyncio.create_task(room.regeneration().regenerate(DIRECT, room.persona, scribe, chunk_tokens=200))
    await scribe.asked.wait()
    async with room.store.write() as tx:
        await tx.erasures.stamp([str(DIRECT)], room.clock.now())
    go_on.set()
    report = await writing

    assert (report.state, report.chunks) == (RegenerationState.DONE, len(await room.chunks()))


async def test_what_was_begun_anew_meanwhile_is_not_shown_before_it_is_written(room: Room) -> None:
    go_on, before = asyncio.Event(), await room.chunks()
    scribe = Scribe(waits_for=go_on)

    writing = asyncio.create_task(room.regeneration().regenerate(DIRECT, room.persona, scribe, chunk_tokens=200))
    await scribe.asked.wait()
    async with room.store.write() as tx:
        await tx.pasts.begin_building(DIRECT, chunk_tokens=300)
    go_on.set()
    report = await writing

    assert (report.state, await room.chunks()) == (RegenerationState.BUSY, before)
    report = await room.regeneration().regenerate(DIRECT, room.persona, Scribe(), chunk_tokens=300)
    assert (report.state, report.chunks) == (RegenerationState.DONE, len(await room.chunks()))


async def test_search_finds_the_new_structured_memories_and_no_old_one(room: Room) -> None:
    await room.regeneration().regenerate(DIRECT, room.persona, Scribe(), chunk_tokens=200)

    async with room.store.read() as tx:
        documents = await tx.corpora.documents(CorpusKey(DIRECT, CorpusKind.STRUCTURED))
    assert list(documents.ids) == [memory.id for memory in await room.structured()]


async def test_the_old_ones_are_shown_until_the_new_are_complete_and_it_goes_on_after_an_outage(room: Room) -> None:
    before, memories, summary = await room.chunks(), await room.structured(), await room.summary()
    out = Scribe({Asked.CHUNK: ["one", ModelUnavailable("out")]})

    report = await room.regeneration().regenerate(DIRECT, room.persona, out, chunk_tokens=200)

    assert (report.state, report.chunks) == (RegenerationState.STOPPED, 1)
    assert (await room.chunks(), await room.structured(), await room.summary()) == (before, memories, summary)
    again = Scribe()
    report = await room.regeneration().regenerate(DIRECT, room.persona, again, chunk_tokens=200)
    assert report.state is RegenerationState.DONE
    assert len(again.of(Asked.CHUNK)) == report.chunks - 1
    assert (await room.chunks())[0].summary == "one"


async def test_the_job_goes_on_with_what_was_broken_off(room: Room) -> None:
    out = Scribe({Asked.CHUNK: [ModelUnavailable("out")]})
    await room.regeneration().regenerate(DIRECT, room.persona, out, chunk_tokens=200)

    await room.check(Scribe())

    state = await room.state()
    assert (state.generation, state.building) == (1, None)
    assert len(await room.chunks()) == 3


async def test_what_is_said_meanwhile_is_taken_in(room: Room) -> None:
    class Interrupted(Scribe):
        """A scribe during whose first answer somebody writes."""

        async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
            """Return the answer to a question."""
            if not self.prompts:
                await room.says(words(200, "new"))
            async for event in super().stream(request):
                yield event

    report = await room.regeneration().regenerate(DIRECT, room.persona, Interrupted(), chunk_tokens=200)

    lines = [line.split()[-1] for chunk in await room.chunks() for line in chunk.summary.split("\n")]
    assert report.state is RegenerationState.DONE
    assert lines == [*(f"p{number}" for number in range(12)), "new"]
    assert len(await room.structured()) == report.chunks


async def test_a_model_that_writes_nothing_takes_nothing_away(room: Room) -> None:
    before = await room.chunks()

    report = await room.regeneration().regenerate(DIRECT, room.persona, Scribe({Asked.CHUNK: [""] * 99}))

    assert (report.state, report.chunks) == (RegenerationState.STOPPED, 0)
    assert await room.chunks() == before
    assert (await room.regeneration().regenerate(DIRECT, room.persona, Scribe())).state is RegenerationState.DONE


async def test_parked_chunks_are_tried_anew(room: Room) -> None:
    first = (await room.chunks())[0]
    async with room.store.write() as tx:
        await tx.pasts.put(replace(first, state=ChunkState.PARKED, summary="", failures=3))

    report = await room.regeneration().regenerate(DIRECT, room.persona, Scribe())

    assert report.parked == 0
    assert (await room.chunks())[0].state is ChunkState.DONE


async def test_nothing_is_done_while_somebody_else_writes(room: Room) -> None:
    states: list[RegenerationState] = []

    async def work() -> None:
        states.append((await room.regeneration().regenerate(DIRECT, room.persona, Scribe())).state)

    await HeldLease(room.store).hold(DIRECT, work)

    assert states == [RegenerationState.BUSY]


async def test_a_conversation_without_messages_is_done_at_once(room: Room) -> None:
    empty = Room(room.store, POLICY, conversation=replace(DIRECT, channel_id="empty", space_id="empty"))

    report = await empty.regeneration().regenerate(empty.conversation, empty.persona, Scribe())

    assert (report.state, report.chunks) == (RegenerationState.DONE, 0)


async def test_an_outage_while_the_job_goes_on_ends_its_questions(room: Room) -> None:
    await room.regeneration().regenerate(DIRECT, room.persona, Scribe({Asked.CHUNK: [ModelUnavailable("out")]}), chunk_tokens=200)
    await room.says(words(200))
    out = Scribe({Asked.CHUNK: [ModelUnavailable("out")] * 2})

    await room.check(out)

    assert len(out.prompts) == 1
    assert await room.chunks(ChunkState.PLANNED) == []


async def test_without_tokens_it_stops_where_it_is_and_the_background_goes_on_once_there_are_some(room: Room) -> None:
    budgets = Spending(room.store, room.clock, HouseRules(Limits(tokens_day=1)))

    report = await replace(room.regeneration(), spending=budgets).regenerate(DIRECT, room.persona, Scribe(), chunk_tokens=200)

    assert (report.state, report.chunks, report.until) == (RegenerationState.SPENT, 0, day_of(room.clock.now())[1])
    assert len(await room.chunks()) == 6

    await room.check(Scribe())
    assert len(await room.chunks()) == 3
