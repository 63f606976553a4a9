"""What the background writes about a conversation's past: W04 to W12, W18, W19 and W22 to W26, on both databases."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from socket import gethostname

import pytest

from bot.domain.model import ChatRequest, ModelEvent
from bot.domain.past import Chunk, ChunkState, Lease
from bot.domain.steps import USUAL_WRITERS, Step, StepKind
from bot.errors import ModelUnavailable
from bot.memory.past.condense import condense
from bot.memory.past.lease import LASTS, HeldLease, release_dead
from bot.memory.past.parked import given_up
from bot.memory.past.rolling import write_summary
from bot.storage.store import SqlStore
from bot.testing.bot import make_bot
from bot.testing.factories import BO, DIRECT, GROUP, a_persona
from bot.testing.scribe import Asked, Scribe, a_record, asked_for, lines_in
from bot.testing.scripted_model import ScriptedModel
from tests.conformance.past_writers import ONE_EACH, write_two_and_die
from tests.conformance.store_writers import writers
from tests.unit.memory.past.stage import SMALL, Room, words

OUT = ModelUnavailable("out")


@pytest.fixture
def room(store: SqlStore) -> Room:
    """Return a conversation in which nothing was said yet."""
    return Room(store)


async def test_w04_chunks_come_by_number_and_leave_the_last_messages_alone(room: Room) -> None:
    counts = []
    for length in (2, 3, 7, 8, 12, 13):
        await room.says(*(f"short {number}" for number in range(room.said, length)))
        await room.check(Scribe())
        counts.append(len(await room.chunks()))

    assert counts == [0, 0, 0, 1, 1, 2]


async def test_w05_long_messages_make_a_chunk_by_their_tokens_alone(room: Room) -> None:
    scribe = Scribe()
    await room.says(words(1000), words(1001))
    await room.says("/persona list", "so", "well")

    await room.check(scribe)

    chunks = await room.chunks()
    assert len(chunks) >= 1
    assert "/persona" not in "".join(chunk.summary for chunk in chunks) + "".join(prompt.text for prompt in scribe.prompts)


@pytest.mark.parametrize(("tokens", "sizes"), [pytest.param(500, [2, 2, 2, 2, 2], id="500"), pytest.param(1000, [5, 5], id="1000")])
async def test_w06_messages_are_split_evenly_in_order_and_keep_their_speakers(room: Room, tokens: int, sizes: list[int]) -> None:
    room.policy = replace(SMALL, chunk_tokens=tokens)
    scribe = Scribe()
    for number in range(10):
        await room.says(words(157, f"w{number}"), author=BO if number % 2 else replace(BO, id="ada", display_name="Ada"))
    await room.says("one", "two", "three")

    await room.check(scribe)

    lines = [line for shown in scribe.of(Asked.CHUNK) for line in lines_in(shown)]
    assert [chunk.messages for chunk in await room.chunks()] == sizes
    assert [line.split()[-1] for line in lines] == [f"w{number}" for number in range(10)]
    assert [line.split(": ")[0] for line in lines] == ["Ada (id ada)", "Bo (id bo)"] * 5


async def test_w07_after_a_loss_short_messages_wait_for_the_next_one(room: Room) -> None:
    await room.says(*(f"short {number}" for number in range(20)))
    await room.check(Scribe())
    await room.forgets_chunks()

    await room.check(Scribe())
    at_next_check = await room.chunks()
    await room.says("something new")
    await room.check(Scribe())

    assert at_next_check == []
    assert len(await room.chunks()) == 1


async def test_w07_after_a_loss_long_messages_are_summarised_all_at_once_oldest_first(room: Room) -> None:
    said = await room.says(*(words(400, f"w{number}") for number in range(20)))
    await room.check(Scribe())
    before = await room.chunks()
    await room.forgets_chunks()

    await room.check(Scribe())

    chunks = await room.chunks()
    assert [(chunk.first_row, chunk.summary) for chunk in chunks] == [(chunk.first_row, chunk.summary) for chunk in before]
    assert (chunks[0].first_row, chunks[-1].last_row) == (said[0].id, said[16].id)


async def test_w08_all_stores_are_rebuilt_from_the_history(room: Room) -> None:
    room.writers = USUAL_WRITERS
    await room.says(*(f"tells of place{number}" for number in range(60)))
    await room.check(Scribe())
    await room.forgets_chunks()

    last = await room.says("and on it goes")
    await room.check(Scribe())

    chunks, summary = await room.chunks(), await room.summary()
    lines = [line for chunk in chunks for line in chunk.summary.split("\n")]
    assert [line.split()[-1] for line in lines] == [f"place{number}" for number in range(58)]
    assert len(await room.structured()) == len(chunks)
    assert summary is None or summary.through_row < last[0].id


async def test_w09_killed_after_two_of_five_chunks_only_the_others_are_generated(store: SqlStore, store_url: str) -> None:
    room = Room(store, ONE_EACH)
    await room.says(*(f"{words(60)} n{number}" for number in range(5)))
    process = writers().Process(target=write_two_and_die, args=(store_url,))
    process.start()
    await asyncio.to_thread(process.join, timeout=60)
    before = [chunk.summary for chunk in await room.chunks()]
    scribe = Scribe()

    await release_dead(room.store)
    await room.check(scribe)

    assert (process.exitcode, before) == (-9, ["one", "two"])
    assert [shown.split()[-2] for shown in scribe.of(Asked.CHUNK)] == ["n2", "n3", "n4"]
    assert [chunk.summary.split()[-1] for chunk in await room.chunks()] == ["one", "two", "n2", "n3", "n4"]


@pytest.mark.parametrize("reply", [pytest.param("", id="empty"), pytest.param(OUT, id="raises")])
async def test_w10_chunk_without_a_summary_is_tried_again_and_parked_at_last(room: Room, reply: str | Exception) -> None:
    room.policy = replace(SMALL, chunk_tokens=100)
    await room.says(*(words(120, f"w{number}") for number in range(5)))
    scribe = Scribe({Asked.CHUNK: [reply] * 9})
    seen = []
    for _ in range(4):
        await room.check(scribe)
        (first, *_) = await room.chunks(*ChunkState)
        seen.append((first.state, first.failures, first.summary))
    shown = scribe.of(Asked.CHUNK)

    async with room.store.read() as tx:
        report = await given_up(tx, room.conversation)
    assert seen[:2] == [(ChunkState.PLANNED, 1, ""), (ChunkState.PLANNED, 2, "")]
    assert seen[2:] == [(ChunkState.PARKED, 3, "")] * 2
    assert len({line for text in shown for line in lines_in(text) if " w0" in line}) == 1
    assert await room.chunks() == []
    assert report.parked[0].id == (await room.chunks(ChunkState.PARKED))[0].id


async def test_w11_unreadable_answer_is_asked_for_again(room: Room) -> None:
    room.policy, room.writers = ONE_EACH, USUAL_WRITERS[:1]
    await room.says(*(f"{words(60)} n{number}" for number in range(5)))
    scribe = Scribe({Asked.STRUCTURED: ["I cannot say."]})

    await room.check(scribe)
    first = [memory.summary.split()[-1] for memory in await room.structured()]
    await room.check(scribe)

    assert first == ["n1", "n2", "n3", "n4"]
    assert [memory.summary.split()[-1] for memory in await room.structured()] == ["n1", "n2", "n3", "n4", "n0"]
    assert len(scribe.of(Asked.STRUCTURED)) == 6


CAT, TOWN = a_record("A cat", "Ada has a cat called Mochi", "Mochi"), a_record("A town", "Ada lives in Kyoto", "Kyoto")


@pytest.mark.parametrize(
    ("answer", "titles"),
    [
        pytest.param(json.dumps(CAT), ["A cat"], id="object"),
        pytest.param(json.dumps([CAT, TOWN]), ["A cat", "A town"], id="array"),
        pytest.param(f"```json\n{json.dumps([CAT])}\n```", ["A cat"], id="fence"),
        pytest.param(json.dumps([TOWN, {"title": "x", "summary": "y"}]), ["A town"], id="entities missing"),
    ],
)
async def test_w12_answers_of_several_shapes_are_taken(
    room: Room, answer: str, titles: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    room.policy, room.writers = ONE_EACH, USUAL_WRITERS[:1]
    await room.says("my cat Mochi and I live in Kyoto")

    await room.check(Scribe({Asked.STRUCTURED: [answer]}))

    assert [memory.title for memory in await room.structured()] == titles
    assert ("structured_left_out" in capsys.readouterr().out) is (titles == ["A town"])
    assert await asks_of_next_check(room) == []


@pytest.mark.parametrize(("new", "asked", "left"), [(2, 0, 2), (3, 1, 0), (7, 2, 1)])
async def test_w18_rolling_summary_takes_in_batches(room: Room, new: int, asked: int, left: int) -> None:
    scribe = Scribe()
    await chunks_of(room, *(f"note{number}" for number in range(new)))

    assert await write_summary(room.those_who_write(scribe)) == asked

    prompts = scribe.of(Asked.SUMMARY)
    for number, shown in enumerate(prompts):
        assert [f"note{index}" in shown.partition("<notes>")[2] for index in range(new)] == [index // 3 == number for index in range(new)]
    if asked == 2:
        assert "All of: note0 / note1 / note2" in prompts[1].partition("<notes>")[0]
    later = Scribe()
    await chunks_of(room, *(f"later{number}" for number in range(3 - left)))
    await write_summary(room.those_who_write(later))
    notes = later.of(Asked.SUMMARY)[0].partition("<notes>")[2]
    assert [f"note{index}" in notes for index in range(new)] == [index >= new - left for index in range(new)]
    assert "later0" in notes


async def test_w19_empty_summary_changes_nothing(room: Room) -> None:
    await chunks_of(room, "note0", "note1", "note2")
    await write_summary(room.those_who_write(Scribe()))
    old = await room.summary()
    await chunks_of(room, "note3", "note4", "note5")

    await write_summary(room.those_who_write(Scribe({Asked.SUMMARY: [""]})))
    unchanged = await room.summary()
    again = Scribe()
    await write_summary(room.those_who_write(again))

    assert unchanged == old is not None
    assert all(f"note{number}" in again.of(Asked.SUMMARY)[0] for number in (3, 4, 5))


@pytest.mark.parametrize("vectors", [True, False])
async def test_w22_the_step_says_whether_structured_memories_are_written(room: Room, vectors: bool) -> None:
    room.policy = ONE_EACH
    room.writers = (Step(StepKind.STRUCTURED, vectors=vectors), Step(StepKind.RECENT_UPDATED))
    await room.says("my cat is called Mochi")

    await room.check(Scribe())

    assert len(await room.chunks()) == 1
    assert len(await room.structured()) == (1 if vectors else 0)


class TwoMinds(Scribe):
    """A scribe that talks at once and writes when it may."""

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return an answer."""
        talks = asked_for(request) is Asked.OTHER
        async for event in ScriptedModel("Indeed.").stream(request) if talks else super().stream(request):
            yield event


async def test_w23_replies_never_wait_for_the_background_and_one_job_runs(store_url: str) -> None:
    may_write = asyncio.Event()
    model = TwoMinds(waits_for=may_write)
    async with make_bot(model, database=store_url, personas=[replace(a_persona(), memory=ONE_EACH)]) as bot:
        room = Room(bot.store, ONE_EACH)

        await bot.say("first")
        await asyncio.wait_for(model.asked.wait(), timeout=20)
        bot.clock.move(seconds=1)
        await bot.say("second")
        await asyncio.wait_for(room.job(model)(DIRECT), timeout=20)
        at_work = len(model.prompts)
        may_write.set()
        await bot.settled()

        assert bot.replies == ["Indeed.", "Indeed."]
        assert at_work == 1
        assert sum(chunk.messages for chunk in await room.chunks()) == 4
        async with bot.store.read() as tx:
            assert await tx.leases.all() == []


async def test_w24_a_job_in_one_chat_holds_up_no_other(room: Room) -> None:
    room.policy = ONE_EACH
    elsewhere = Room(room.store, ONE_EACH, conversation=GROUP)
    await room.says("here")
    await elsewhere.says("there")
    slow = Scribe(waits_for=asyncio.Event())
    stuck = asyncio.create_task(room.check(slow))
    await slow.asked.wait()

    await elsewhere.check(Scribe())

    assert len(await elsewhere.chunks()) == 1
    stuck.cancel()
    await asyncio.gather(stuck, return_exceptions=True)
    assert await room.chunks() == []


async def test_w24_lease_of_a_crashed_process_is_free_at_restart_else_after_ten_minutes(room: Room) -> None:
    room.policy = ONE_EACH
    await room.says("here")
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await process.wait()
    dead = await leased_by(room, f"{gethostname()}:{process.pid}:1")
    await room.check(Scribe())
    while_held = await room.chunks()

    assert await release_dead(room.store) == 1
    await leased_by(room, "another-machine:1:1")
    kept = await release_dead(room.store)
    await leased_by(room, "another-machine:1:1", lasts=timedelta(0))  # as it is when its time is over
    await room.check(Scribe())

    assert (dead.name, while_held, kept) == (f"past:{room.conversation}", [], 0)
    assert timedelta(minutes=10) == LASTS
    assert len(await room.chunks()) == 1


async def test_w24_lease_is_renewed_while_its_job_lives(room: Room) -> None:
    async def until() -> datetime:
        async with room.store.read() as tx:
            (lease,) = await tx.leases.all()
        return lease.until

    async def work() -> None:
        began = later = await until()
        async with asyncio.timeout(20):
            while later == began:
                later = await until()
        assert not await HeldLease(room.store).hold(room.conversation, never)

    assert await HeldLease(room.store, renew_seconds=0.01).hold(room.conversation, work)
    async with room.store.read() as tx:
        assert await tx.leases.all() == []


async def test_w25_the_oldest_summaries_become_one_and_are_kept(room: Room) -> None:
    room.policy = replace(SMALL, condense=4, condense_buffer=3)
    made = await chunks_of(room, *(f"note{number}" for number in range(6)))
    writers = room.those_who_write(Scribe())
    assert not await condense(writers)
    made += await chunks_of(room, "note6")
    assert not await condense(room.those_who_write(Scribe({Asked.CONDENSED: [""]})))
    assert await room.chunks() == made

    assert await condense(writers)

    chunks = await room.chunks()
    assert [chunk.summary for chunk in chunks] == ["All of: note0 / note1 / note2 / note3", "note4", "note5", "note6"]
    assert (chunks[0].first_row, chunks[0].last_row, chunks[0].messages) == (made[0].first_row, made[3].last_row, 4)
    async with room.store.read() as tx:
        assert [chunk.summary for chunk in await tx.pasts.condensed(room.conversation, chunks[0].id)] == [
            f"note{number}" for number in range(4)
        ]
        assert await tx.pasts.last_row(room.conversation, 0) == made[-1].last_row


async def test_w26_equal_and_edited_messages_are_neither_skipped_nor_doubled(room: Room) -> None:
    room.writers = USUAL_WRITERS[:1]
    said = await room.says("ok", "ok", "tea", "ok", "rain", "a", "b", "c")
    await room.check(Scribe())
    first = await room.chunks()
    memories = await room.structured()

    async with room.store.write() as tx:
        await tx.messages.change_text(room.conversation, said[2].message_id, "coffee")
    await room.check(Scribe())
    await room.says("d", "e", "f", "g", "h")
    await room.check(Scribe())

    assert [line.split()[-1] for line in first[0].summary.split("\n")] == ["ok", "ok", "tea", "ok", "rain"]
    assert (await room.structured())[: len(memories)] == memories
    assert [(chunk.first_row, chunk.messages) for chunk in await room.chunks()] == [(said[0].id, 5), (said[5].id, 5)]


async def never() -> None:
    raise AssertionError("The lease was free.")


async def asks_of_next_check(room: Room) -> list[str]:
    """Return what the model is asked when nothing new was said."""
    scribe = Scribe()
    await room.check(scribe)
    return [prompt.text for prompt in scribe.prompts]


async def leased_by(room: Room, owner: str, *, lasts: timedelta = LASTS) -> Lease:
    async with room.store.write() as tx:
        assert await tx.leases.take(f"past:{room.conversation}", owner, lasts=lasts)
        (lease,) = await tx.leases.all()
    return lease


async def chunks_of(room: Room, *summaries: str) -> list[Chunk]:
    """Store chunks of one message each with these summaries."""
    said = await room.says(*summaries)
    chunks = [
        Chunk(0, room.conversation, 0, row.id, row.id, 1, row.sent_at, row.sent_at, row.text, ChunkState.DONE, is_read=True) for row in said
    ]
    async with room.store.write() as tx:
        return list(await tx.pasts.plan(room.conversation, chunks))
