"""A regeneration that was asked for in a chat goes on in the background, and the chat is told how it ended."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.message import ReplyTarget
from bot.domain.persona import Persona
from bot.jobs.regeneration import BUSY_PAUSE, BUSY_TRIES, BackgroundRegenerations, Waits, told
from bot.memory.past.regenerate import RegenerationReport, RegenerationState
from bot.ports.model import ChatModel
from bot.queueing.inprocess import InProcessQueue
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.factories import DIRECT, GROUP, a_persona, kind_of
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

    def begin(self, conversation: ConversationKey = DIRECT, *, chunk_tokens: int = 0) -> bool:
        return self.regenerations.begin(a_persona(), ReplyTarget(conversation, kind_of(conversation)), chunk_tokens=chunk_tokens)

    async def ended(self, conversation: ConversationKey = DIRECT) -> list[str]:
        """Return what was posted once nothing goes on there any more."""
        self.work.go_on.set()
        async with asyncio.timeout(10):
            await self.regenerations.idle()
        async with self.store.read() as tx:
            assert await tx.messages.history(conversation, limit=9) == []
            return [entry.text for entry in await tx.outbox.unsent(conversation)]


@asynccontextmanager
async def background(
    *reports: RegenerationReport | Exception, model: ChatModel | None = None, waits: Waits | None = None
) -> AsyncIterator[Background]:
    store, clock, work = SqlStore(DATABASES.fresh()), FrozenClock(), Regenerating(list(reports))
    await store.open()
    queue = InProcessQueue(clock)
    regenerations = BackgroundRegenerations(work, lambda _: model or ScriptedModel(), store, clock, queue=queue, waits=waits)
    async with asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(regenerations.run())
        try:
            yield Background(regenerations, work, store, clock)
        finally:
            serving.cancel()
    await store.close()


async def test_the_chat_is_told_when_it_is_done_and_the_line_is_no_part_of_the_history() -> None:
    async with background(DONE) as running:
        assert running.begin(chunk_tokens=500)

        posted = await running.ended()

    assert posted == ["📖 I have read this conversation again: 12 new summaries. `/summary show` shows them."]
    assert running.work.asked == [(DIRECT, 500)]


async def test_where_there_are_no_tokens_left_the_rest_is_noted_to_be_done_later() -> None:
    noted: list[tuple[ConversationKey, datetime]] = []
    spent = RegenerationReport(RegenerationState.SPENT, 3, until=START)
    async with background(spent, waits=lambda place, until: noted.append((place, until))) as running:
        running.begin()

        (posted,) = await running.ended()

    assert "3 summaries are written and kept; I go on reading" in posted
    assert noted == [(DIRECT, START)]


async def test_while_it_goes_on_it_tells_how_far_it_is_and_no_second_one_begins_there() -> None:
    async with background(DONE, DONE) as running:
        running.begin()
        await running.work.begun.wait()

        progress = running.regenerations.progress(DIRECT)
        again, elsewhere = running.begin(), running.begin(GROUP)

        assert progress is not None
        assert (progress.done, progress.total) == (1, 4)
        assert (again, elsewhere) == (False, True)
        await running.ended()


async def test_one_that_fails_is_over_and_the_next_may_begin() -> None:
    async with background(RuntimeError("a bug"), DONE) as running:
        running.begin()

        assert await running.ended() == []
        assert running.begin()
        assert len(await running.ended()) == 1


async def test_while_something_else_is_being_written_it_waits_and_tries_again() -> None:
    async with background(BUSY, BUSY, DONE) as running:
        running.begin()
        posted = await running.ended()

    assert len(posted) == 1
    assert len(running.work.asked) == 3
    assert running.clock.slept == [BUSY_PAUSE, BUSY_PAUSE]


async def test_what_is_busy_for_ten_minutes_is_left_to_the_people() -> None:
    async with background(*[BUSY] * BUSY_TRIES) as running:
        running.begin()
        posted = await running.ended()

    assert posted == [told(BUSY)]
    assert sum(running.clock.slept) == 600


async def test_without_a_model_nothing_begins() -> None:
    store, clock = SqlStore(DATABASES.fresh()), FrozenClock()
    regenerations = BackgroundRegenerations(Regenerating([]), lambda _: None, store, clock, queue=InProcessQueue(clock))

    assert not regenerations.can_summarise(a_persona())
    assert not regenerations.begin(a_persona(), ReplyTarget(DIRECT, kind_of(DIRECT)), chunk_tokens=0)


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
