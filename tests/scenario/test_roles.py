"""A bot in several processes on one database: who takes in, who answers, who rings."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from bot.app.app import App
from bot.app.world import Cluster
from bot.commands.parse import ParsedLine, parse_line
from bot.domain.command import CommandCall
from bot.domain.job import JobState
from bot.domain.message import MessageState
from bot.domain.role import Role
from bot.ports.clock import Clock
from bot.ports.model import ChatModel
from bot.queueing.procrastinate.engine import Engine
from bot.queueing.procrastinate.pacing import Pacing
from bot.queueing.procrastinate.queue import (
    DREAMS,
    NIGHT,
    PAST,
    REGENERATIONS,
    TURNS,
    ProcrastinateDreams,
    ProcrastinateQueue,
    ProcrastinateScopes,
)
from bot.queueing.procrastinate.turns import WritingAnywhere
from bot.storage.store import SqlStore
from bot.testing.bot import a_world, running
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import ADA, DIRECT, a_memory, incoming, kind_of
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel
from tests.scenario.night_killed import LATER, something_to_decide
from tests.unit.conversation.onlooker import an_onlooker

RECORDS = '[{"title": "Tea", "summary": "Ada talks of tea.", "entities": ["Ada"], "key_phrases": ["tea"]}]'
QUICK = Pacing(poll=0.05, heartbeat=0.2, dead_after=2.0, rescue=0.1, let_go_after=1.0, grace=0.2, first_pause=0.02)


@dataclass
class Process:
    """One of them, with what it has sent."""

    app: App
    platform: RecordingPlatform
    scopes: ProcrastinateScopes

    async def types(self, line: str) -> str:
        """Type a command as an admin who means it, and return the answer."""
        parsed = parse_line(line, self.app.inbox.commands)
        assert isinstance(parsed, ParsedLine)
        call = CommandCall(parsed.path, parsed.options, ADA, DIRECT, kind_of(DIRECT), asker_is_admin=True, confirmed=True)
        return (await self.app.inbox.run_command(call)).text


@asynccontextmanager
async def process(database: str, model: ChatModel, roles: Collection[Role], clock: Clock | None = None) -> AsyncIterator[Process]:
    engine, platform = Engine(database, pacing=QUICK), RecordingPlatform()
    scopes = ProcrastinateScopes(engine, NIGHT)
    world = replace(
        a_world(model, [platform], database=database, clock=clock),
        queue=ProcrastinateQueue(engine, TURNS),
        background=ProcrastinateQueue(engine, PAST),
        regenerations=ProcrastinateQueue(engine, REGENERATIONS),
        cluster=Cluster(engine, scopes, ProcrastinateDreams(engine, DREAMS), lambda here: WritingAnywhere(engine, TURNS, here)),
        roles=roles,
    )
    async with running(world) as app:
        if Role.SCHEDULER not in roles:
            await platform.connected.wait()
        yield Process(app, platform, scopes)


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with asyncio.timeout(20), AsyncExitStack() as stack:
        yield stack


async def test_what_a_gateway_takes_in_a_worker_answers(postgres_url: str, stack: AsyncExitStack) -> None:
    model = ScriptedModel("Hello!", "Still here.")
    gateway = await stack.enter_async_context(process(postgres_url, ScriptedModel(), [Role.GATEWAY]))
    worker = await stack.enter_async_context(process(postgres_url, model, [Role.WORKER]))

    for number, text in enumerate(["hi", "are you there?"]):
        await gateway.app.inbox.receive(incoming(text, message_id=str(number)))
        await gateway.app.queue.idle()

    assert [sent.text for sent in worker.platform.sent] == ["Hello!", "Still here."]
    assert gateway.platform.sent == []


async def test_what_is_said_while_no_worker_runs_is_answered_by_the_first_one(postgres_url: str, stack: AsyncExitStack) -> None:
    gateway = await stack.enter_async_context(process(postgres_url, ScriptedModel(), [Role.GATEWAY]))
    await gateway.app.inbox.receive(incoming("hi"))

    worker = await stack.enter_async_context(process(postgres_url, ScriptedModel("Hello!"), [Role.WORKER]))
    await gateway.app.queue.idle()

    assert [sent.text for sent in worker.platform.sent] == ["Hello!"]


async def test_an_answer_is_stopped_from_another_process(postgres_url: str, stack: AsyncExitStack) -> None:
    model = ScriptedModel("never said", waits_for=asyncio.Event())
    gateway = await stack.enter_async_context(process(postgres_url, ScriptedModel(), [Role.GATEWAY]))
    worker = await stack.enter_async_context(process(postgres_url, model, [Role.WORKER]))
    await gateway.app.inbox.receive(incoming("hi"))
    await model.asked.wait()

    answer = await gateway.app.inbox.run_command(CommandCall(("stop",), {}, ADA, DIRECT, kind_of(DIRECT)))
    await gateway.app.queue.idle()

    assert answer.text.startswith("Stopped.")
    assert worker.platform.sent == []


async def test_what_is_said_while_a_worker_thinks_belongs_to_the_same_answer(postgres_url: str, stack: AsyncExitStack) -> None:
    goes_on = asyncio.Event()
    model = ScriptedModel("Both at once.", waits_for=goes_on)
    gateway = await stack.enter_async_context(process(postgres_url, ScriptedModel(), [Role.GATEWAY]))
    worker = await stack.enter_async_context(process(postgres_url, model, [Role.WORKER]))
    await gateway.app.inbox.receive(incoming("one", message_id="1"))
    await model.asked.wait()

    model.asked.clear()
    await gateway.app.inbox.receive(incoming("two", message_id="2"))
    await model.asked.wait()
    goes_on.set()
    await gateway.app.queue.idle()

    assert [sent.text for sent in worker.platform.sent] == ["Both at once."]
    assert "two" in model.prompts[-1].text


async def test_a_night_that_the_scheduler_rings_for_is_done_by_a_worker(postgres_url: str, stack: AsyncExitStack) -> None:
    clock = FrozenClock()
    worker = await stack.enter_async_context(process(postgres_url, ScriptedModel(), [Role.WORKER], clock))
    scheduler = await stack.enter_async_context(process(postgres_url, ScriptedModel(), [Role.SCHEDULER], clock))
    async with worker.app.store.write() as tx:
        await tx.memories.add(a_memory("Ada likes tea"))
    clock.move(seconds=timedelta(days=1).total_seconds())

    await scheduler.app.night.ring()
    await scheduler.app.night.ring()
    await scheduler.scopes.idle()

    async with scheduler.app.store.read() as tx:
        runs = await tx.nights.history(limit=9)
    assert len(runs) == 1


async def test_a_night_whose_worker_is_killed_is_gone_on_with_by_the_next_one(postgres_url: str, stack: AsyncExitStack) -> None:
    model, clock = ScriptedModel("A quiet night."), FrozenClock(START + LATER)
    store = SqlStore(postgres_url)
    await store.open()
    stack.push_async_callback(store.close)
    await something_to_decide(store)

    killed = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.scenario.night_killed", postgres_url, "engine")
    await killed.wait()
    worker = await stack.enter_async_context(process(postgres_url, model, [Role.WORKER], clock))
    await worker.scopes.idle()

    async with store.read() as tx:
        (record,) = await tx.nights.history(limit=9)
    assert (killed.returncode, record.state, record.diary) == (-signal.SIGKILL, JobState.DONE, "A quiet night.")
    assert len(model.prompts) == 1


async def test_what_was_said_is_read_again_by_a_worker_and_the_next_one_goes_on_when_it_dies(
    postgres_url: str, stack: AsyncExitStack
) -> None:
    never = ScriptedModel(RECORDS, waits_for=asyncio.Event())
    gateway = await stack.enter_async_context(process(postgres_url, ScriptedModel(), [Role.GATEWAY]))
    async with gateway.app.store.write() as tx:
        for number in range(30):
            await tx.messages.record(incoming(f"Tea number {number} with cake", message_id=str(number)), MessageState.DONE)

    async with process(postgres_url, never, [Role.WORKER]):
        begun = await gateway.types("summary regenerate 100")
        await never.asked.wait()
        meanwhile = await gateway.types("summary regenerate 100")
    worker = await stack.enter_async_context(process(postgres_url, ScriptedModel(*[RECORDS] * 99), [Role.WORKER]))
    await worker.app.past.regenerations.idle()
    await gateway.app.queue.idle()

    assert begun.startswith("I am reading everything again")
    assert meanwhile.startswith("I am at it: 0 of about ")
    assert [sent.text.partition(":")[0] for sent in worker.platform.sent] == ["📖 I have read this conversation again"]


async def test_a_dream_that_a_member_asks_for_is_dreamt_by_a_worker_and_told_to_them(postgres_url: str, stack: AsyncExitStack) -> None:
    gateway = await stack.enter_async_context(process(postgres_url, ScriptedModel(), [Role.GATEWAY]))
    model = ScriptedModel('{"same": [], "ended": [], "dated": []}', "I grew.")
    await stack.enter_async_context(process(postgres_url, model, [Role.WORKER]))
    async with gateway.app.store.write() as tx:
        await tx.memories.add(replace(a_memory("Ada likes tea"), uses=3))

    told = await gateway.types("dream now")

    assert "I grew." in told
    assert len(model.prompts) == 2


@pytest.mark.parametrize(("roles", "times"), [([Role.WORKER], 0), ([Role.SCHEDULER, Role.WORKER], 1)], ids=["worker", "both"])
async def test_the_bell_is_counted_where_a_scheduler_is(roles: Collection[Role], times: int) -> None:
    watch, tally, _ = an_onlooker()
    rung = asyncio.Event()

    async def bell(ring: Callable[[], Awaitable[None]]) -> None:
        await ring()
        rung.set()

    async with running(replace(a_world(ScriptedModel(), [RecordingPlatform()]), roles=roles, watch=watch, bell=bell)):
        await rung.wait()

    assert tally.seen.count(("job_ended", "bell", False)) == times


async def test_a_ring_that_the_database_does_not_serve_ends_no_process() -> None:
    world, rung = replace(a_world(ScriptedModel(), [RecordingPlatform()]), roles=[Role.SCHEDULER]), asyncio.Event()

    async def bell(ring: Callable[[], Awaitable[None]]) -> None:
        await world.store.close()
        await ring()
        await world.store.open()
        await ring()
        rung.set()

    async with running(replace(world, bell=bell)):
        await rung.wait()
