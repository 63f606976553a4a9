"""A regeneration that was asked for in a chat goes on in the background, and the chat is told how it ended."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState
from bot.domain.past import Chunk, ChunkState
from bot.domain.persona import Persona, Personas
from bot.errors import StoreError
from bot.jobs.regeneration import BUSY_PAUSE, BUSY_TRIES, BackgroundRegenerations, Progress, Waits, told
from bot.memory.past.regenerate import RegenerationReport, RegenerationState
from bot.ports.model import ChatModel
from bot.queueing.inprocess import InProcessQueue
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.factories import DIRECT, GROUP, a_persona, incoming
from bot.testing.scripted_model import ScriptedModel

DONE = RegenerationReport(RegenerationState.DONE, chunks=12)
BUSY = RegenerationReport(RegenerationState.BUSY)


@dataclass(slots=True)
class Regenerating:
    """Regenerations that end as they are told to, once they are let go on."""

    reports: list[RegenerationReport | Exception]
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[tuple[ConversationKey, int]] = field(default_factory=list)

    async def regenerate(
        self,
        conversation: ConversationKey,
        persona: Persona,
        model: ChatModel,
        *,
        chunk_tokens: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> RegenerationReport:
        self.asked.append((conversation, chunk_tokens))
        self.begun.set()
        if progress is not None:
            progress(1, 4)
        await self.go_on.wait()
        report = self.reports.pop(0)
        if isinstance(report, Exception):
            raise report
        return report


@dataclass(frozen=True, slots=True)
class Background:
    """What runs in the background, on a real store."""

    regenerations: BackgroundRegenerations
    work: Regenerating
    store: SqlStore
    clock: FrozenClock

    async def begin(self, conversation: ConversationKey = DIRECT, *, chunk_tokens: int = 0) -> bool:
        return await self.regenerations.begin(conversation, chunk_tokens=chunk_tokens)

    async def ended(self, conversation: ConversationKey = DIRECT) -> list[str]:
        """Return what was posted once nothing goes on there any more."""
        self.work.go_on.set()
        async with asyncio.timeout(10):
            await self.regenerations.idle()
        async with self.store.read() as tx:
            assert [message.text for message in await tx.messages.history(conversation, limit=9)] == ["hi"]
            return [entry.text for entry in await tx.outbox.unsent(conversation)]


def regenerations_on(
    store: SqlStore, clock: FrozenClock, work: Regenerating, model: ChatModel | None, waits: Waits | None = None
) -> BackgroundRegenerations:
    personas, requests, queue = Personas({"iris": a_persona()}, "iris"), InProcessQueue(clock), InProcessQueue(clock)
    return BackgroundRegenerations(work, lambda _: model, store, clock, personas, requests=requests, queue=queue, waits=waits)


@asynccontextmanager
async def background(
    *reports: RegenerationReport | Exception, model: ChatModel | None = None, waits: Waits | None = None
) -> AsyncIterator[Background]:
    store, clock, work = SqlStore(DATABASES.fresh()), FrozenClock(), Regenerating(list(reports))
    await store.open()
    async with store.write() as tx:
        for conversation in (DIRECT, GROUP):
            await tx.messages.record(incoming("hi", conversation=conversation), MessageState.DONE)
    regenerations = regenerations_on(store, clock, work, model or ScriptedModel(), waits)
    async with asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(regenerations.run())
        try:
            yield Background(regenerations, work, store, clock)
        finally:
            serving.cancel()
    await store.close()


async def test_the_chat_is_told_when_it_is_done_and_the_line_is_no_part_of_the_history() -> None:
    async with background(DONE) as running:
        assert await running.begin(chunk_tokens=500)

        posted = await running.ended()

    assert posted == ["📖 I have read this conversation again: 12 new summaries. `/summary show` shows them."]
    assert running.work.asked == [(DIRECT, 500)]


async def test_where_there_are_no_tokens_left_the_rest_is_noted_to_be_done_later() -> None:
    noted: list[tuple[ConversationKey, datetime]] = []
    spent = RegenerationReport(RegenerationState.SPENT, 3, until=START)
    async with background(spent, waits=lambda place, until: noted.append((place, until))) as running:
        await running.begin()

        (posted,) = await running.ended()

    assert "3 summaries are written and kept; I go on reading" in posted
    assert noted == [(DIRECT, START)]


async def test_while_it_goes_on_it_tells_how_far_it_is_and_no_second_one_begins_there() -> None:
    async with background(DONE, DONE) as running:
        await running.begin()
        await running.work.begun.wait()

        progress = await running.regenerations.progress(DIRECT)
        again, elsewhere = await running.begin(), await running.begin(GROUP)

        assert progress is not None
        assert (progress.done, progress.total) == (1, 4)
        assert (again, elsewhere) == (False, True)
        await running.ended()


async def test_one_that_fails_is_over_and_the_next_may_begin() -> None:
    async with background(RuntimeError("a bug"), DONE) as running:
        await running.begin()

        assert await running.ended() == []
        assert await running.begin()
        assert len(await running.ended()) == 1


async def test_while_something_else_is_being_written_it_waits_and_tries_again() -> None:
    async with background(BUSY, BUSY, DONE) as running:
        await running.begin()
        posted = await running.ended()

    assert len(posted) == 1
    assert len(running.work.asked) == 3
    assert running.clock.slept == [BUSY_PAUSE, BUSY_PAUSE]


async def test_what_is_busy_for_ten_minutes_is_left_to_the_people() -> None:
    async with background(*[BUSY] * BUSY_TRIES) as running:
        await running.begin()
        posted = await running.ended()

    assert posted == [told(BUSY)]
    assert sum(running.clock.slept) == 600


def test_without_a_model_there_is_nothing_to_summarise_with() -> None:
    regenerations = regenerations_on(SqlStore(DATABASES.fresh()), FrozenClock(), Regenerating([]), None)

    assert not regenerations.can_summarise(a_persona())


async def test_what_somebody_else_has_finished_meanwhile_is_told_as_done() -> None:
    async with background(BUSY) as running:
        await running.begin()
        await running.work.begun.wait()
        async with running.store.write() as tx:
            await tx.pasts.finish_building(DIRECT)

        posted = await running.ended()

    assert posted == [told(RegenerationReport(RegenerationState.DONE))]
    assert len(running.work.asked) == 1


async def test_an_outage_of_the_store_ends_nothing() -> None:
    outage = ExceptionGroup("the lease", [StoreError("The database is away.")])
    async with background(outage, DONE) as running:
        await running.begin()
        posted = await running.ended()

    assert posted == [told(DONE)]


async def test_how_far_another_process_is_stands_in_the_store() -> None:
    async with background() as running:
        elsewhere = regenerations_on(running.store, running.clock, running.work, None)
        await elsewhere.begin(DIRECT, chunk_tokens=0)
        async with running.store.write() as tx:
            building = (await tx.pasts.state(DIRECT)).building or 0
            chunks = [Chunk(0, DIRECT, building, row, row, 1, START, START, "", ChunkState.PLANNED) for row in (1, 2)]
            first, _ = await tx.pasts.plan(DIRECT, chunks)
            await tx.pasts.put(replace(first, state=ChunkState.DONE, summary="Tea."))

        assert await elsewhere.progress(DIRECT) == Progress(1, 2)
        assert await elsewhere.progress(GROUP) is None


@pytest.mark.parametrize(
    ("report", "said"),
    [
        pytest.param(RegenerationReport(RegenerationState.DONE, 9, 1), "9 new summaries. I gave up on 1. ", id="parked"),
        pytest.param(
            RegenerationReport(RegenerationState.STOPPED, 3), "3 summaries are written and kept; `/summary regenerate`", id="stop"
        ),
        pytest.param(RegenerationReport(RegenerationState.STOPPED), "again. `/summary regenerate` goes on from there.", id="no start"),
        pytest.param(BUSY, "Try `/summary regenerate` again later.", id="busy"),
    ],
)
def test_every_end_is_told_with_what_to_do_next(report: RegenerationReport, said: str) -> None:
    assert said in told(report)
