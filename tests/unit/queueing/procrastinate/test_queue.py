import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise

import psycopg
import pytest
from procrastinate.schema import SchemaManager
from structlog.testing import capture_logs

from bot.conversation.running import WritingHere
from bot.domain.chat import ConversationKey
from bot.errors import StoreError
from bot.ports.queue import TakeTurns
from bot.queueing.procrastinate.asking import Lane
from bot.queueing.procrastinate.queue import TURNS, LaneQueue
from bot.queueing.procrastinate.turns import WritingAnywhere
from bot.storage.store import SqlStore
from tests.unit.queueing.procrastinate.conftest import HERE, QUICK, THERE, Cluster

KNOWN_SCHEMA = "c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009"
JOBS = "SELECT status::text FROM procrastinate_jobs ORDER BY id"


async def test_two_processes_look_at_one_conversation_one_after_the_other(cluster: Cluster) -> None:
    looks: list[tuple[int, str]] = []
    processes = [await cluster.process(), await cluster.process()]

    def looker(number: int) -> TakeTurns:
        async def look(_: ConversationKey) -> None:
            looks.append((number, "begins"))
            await asyncio.sleep(0.005)
            looks.append((number, "ends"))

        return look

    for number, process in enumerate(processes):
        process.serve(looker(number))
    for _ in range(15):
        await processes[0].queue.ring(HERE)
        await asyncio.sleep(0.003)
    await processes[1].queue.idle()

    assert len(looks) >= 6
    assert all(begin == (end[0], "begins") for begin, end in list(pairwise(looks))[::2])


async def test_many_rings_during_a_look_make_one_job(cluster: Cluster) -> None:
    process, looking, goes_on = await cluster.process(), asyncio.Event(), asyncio.Event()

    async def look(_: ConversationKey) -> None:
        looking.set()
        await goes_on.wait()

    process.serve(look)
    await process.queue.ring(HERE)
    await looking.wait()
    for _ in range(20):
        await process.queue.ring(HERE)

    assert cluster.sql(JOBS) == [("doing",), ("todo",)]
    goes_on.set()
    await process.queue.idle()
    assert cluster.sql(JOBS) == []


async def test_a_job_that_waits_is_not_begun_before_the_commit_that_relies_on_it(cluster: Cluster, postgres_url: str) -> None:
    process, seen = await cluster.process(), asyncio.Queue[ConversationKey]()
    store = SqlStore(postgres_url)
    await store.open()
    await process.queue.ring(HERE)
    async with store.write() as tx:
        await process.queue.ask(tx, HERE)
        process.serve(seen.put)
        await process.queue.ring(THERE)
        assert await seen.get() == THERE
        assert seen.empty()

    assert await seen.get() == HERE
    await process.queue.idle()
    await store.close()


async def test_what_a_killed_process_had_is_taken_over(cluster: Cluster) -> None:
    process, looked = await cluster.process(), asyncio.Event()

    async def look(_: ConversationKey) -> None:
        looked.set()

    await process.queue.ring(HERE)
    cluster.sql("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour')")
    cluster.sql("UPDATE procrastinate_jobs SET status = 'doing', worker_id = (SELECT max(id) FROM procrastinate_workers)")
    process.serve(look)

    await looked.wait()
    await process.queue.idle()
    assert len(cluster.sql("SELECT id FROM procrastinate_workers")) == 1


async def test_what_fails_too_often_is_given_up_where_its_lane_says_so(cluster: Cluster) -> None:
    process, looks = await cluster.process(), list[str]()
    queue = LaneQueue(process.engine, Lane("rare", priority=1, most=3), parallel=1)

    async def look(key: str) -> None:
        looks.append(key)
        raise RuntimeError("on purpose")

    process.begin(queue.serve(look))
    await queue.ring_for("it")
    with capture_logs() as logs:
        await queue.idle()

    assert looks == ["it"] * 3
    assert "look_given_up" in [line["event"] for line in logs]


async def test_what_a_broken_connection_has_swallowed_is_looked_at(cluster: Cluster) -> None:
    process, looks = await cluster.process(), asyncio.Queue[ConversationKey]()
    process.serve(looks.put)
    await process.queue.ring(THERE)
    await looks.get()
    await process.queue.idle()

    cluster.sql(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status, worker_id)"
        f" SELECT 'turns', 'turns', 'turns {HERE}', '{{\"key\": \"{HERE}\"}}', 'doing', id FROM procrastinate_workers"
    )

    assert await looks.get() == HERE


async def test_a_process_goes_on_when_the_database_was_away(cluster: Cluster) -> None:
    process, looks, goes_on = await cluster.process(), asyncio.Queue[ConversationKey](), asyncio.Event()

    async def look(conversation: ConversationKey) -> None:
        looks.put_nowait(conversation)
        await goes_on.wait()

    process.serve(look)
    await process.queue.ring(HERE)
    await looks.get()
    cluster.sql("SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE application_name = 'baku-queue'")
    goes_on.set()
    with psycopg.connect(cluster.url, autocommit=True) as other:  # in which nothing tells of it to those that have not reconnected yet
        other.execute("ALTER TABLE procrastinate_jobs DISABLE TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1")
        await process.queue.ring(THERE)
        other.execute("ALTER TABLE procrastinate_jobs ENABLE TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1")

    assert await looks.get() == THERE
    await process.queue.idle()


async def test_a_process_that_cannot_show_that_it_lives_lets_go_and_others_get_it(cluster: Cluster) -> None:
    process, looks, ended = await cluster.process(), asyncio.Queue[ConversationKey](), asyncio.Event()

    async def look(conversation: ConversationKey) -> None:
        looks.put_nowait(conversation)
        try:
            if not ended.is_set():
                await asyncio.Event().wait()
        finally:
            ended.set()

    process.serve(look)
    await process.queue.ring(HERE)
    await looks.get()
    with psycopg.connect(cluster.url) as other:
        other.execute("LOCK TABLE procrastinate_workers IN ACCESS EXCLUSIVE MODE")
        await ended.wait()

    assert await looks.get() == HERE
    await process.queue.idle()


async def test_a_process_that_others_thought_dead_lets_go_when_it_goes_on(cluster: Cluster) -> None:
    process, looks, ended = await cluster.process(), asyncio.Queue[ConversationKey](), asyncio.Event()

    async def look(conversation: ConversationKey) -> None:
        looks.put_nowait(conversation)
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    process.serve(look)
    await process.queue.ring(HERE)
    await looks.get()
    cluster.sql("UPDATE procrastinate_jobs SET status = 'todo', worker_id = NULL, scheduled_at = now() + interval '1 hour'")
    cluster.sql("DELETE FROM procrastinate_workers")
    await ended.wait()

    assert cluster.sql(JOBS) == [("todo",)]


async def test_a_look_that_is_ending_is_let_go_of_once(cluster: Cluster) -> None:
    process, begun, ended, goes_on = await cluster.process(), asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def look(_: ConversationKey) -> None:
        try:
            begun.set()
            await (goes_on if ended.is_set() else asyncio.Event()).wait()
        finally:
            ended.set()
            await goes_on.wait()

    process.serve(look)
    await process.queue.ring(HERE)
    await begun.wait()
    (let_go,) = process.engine.jobs.let_go
    let_go()
    await ended.wait()
    let_go()
    goes_on.set()
    await process.queue.idle()


async def test_a_process_that_stood_still_lets_go_before_anybody_looks_again_not_even_itself(cluster: Cluster) -> None:
    still = replace(QUICK, dead_after=0.3, let_go_after=0.2, heartbeat=0.05)
    process, running, most, begun = await cluster.process(still), list[ConversationKey](), list[int](), asyncio.Event()

    async def look(conversation: ConversationKey) -> None:
        running.append(conversation)
        most.append(len(running))
        begun.set()
        try:
            if len(most) == 1:
                await asyncio.Event().wait()
        finally:
            running.remove(conversation)

    process.serve(look)
    await process.queue.ring(HERE)
    await begun.wait()
    cluster.sql("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 minute'")
    time.sleep(0.4)  # noqa: ASYNC251 - as a stopped process does
    await process.queue.idle()

    assert most == [1, 1]


async def test_a_machine_whose_clock_is_ahead_repeats_a_look_in_time(cluster: Cluster) -> None:
    looks = asyncio.Queue[ConversationKey]()
    cluster.sql("CREATE SCHEMA behind")
    cluster.sql("CREATE FUNCTION behind.now() RETURNS timestamptz STABLE LANGUAGE sql AS $$SELECT pg_catalog.now() - interval '1 h'$$")
    process = await cluster.process(setting="search_path=behind,pg_catalog,public")

    async def look(conversation: ConversationKey) -> None:
        looks.put_nowait(conversation)
        if looks.qsize() == 1:
            raise RuntimeError

    process.serve(look)
    await process.queue.ring(HERE)
    await process.queue.idle()
    await process.stop()
    cluster.sql("DROP SCHEMA behind CASCADE")

    assert looks.qsize() == 2


async def test_a_stopped_process_hands_back_what_it_cannot_end(cluster: Cluster) -> None:
    one, two, looks = await cluster.process(), await cluster.process(), asyncio.Queue[str]()

    async def never_ends(_: ConversationKey) -> None:
        looks.put_nowait("one")
        await asyncio.Event().wait()

    async def ends(_: ConversationKey) -> None:
        looks.put_nowait("two")

    serving = one.serve(never_ends)
    await one.queue.ring(HERE)
    assert await looks.get() == "one"
    two.serve(ends)
    serving.cancel()

    assert await looks.get() == "two"
    await two.queue.idle()


async def test_the_end_of_a_look_that_others_have_taken_over_ends_nothing_of_theirs(cluster: Cluster) -> None:
    process, looks, goes_on = await cluster.process(), asyncio.Queue[ConversationKey](), asyncio.Event()

    async def look(conversation: ConversationKey) -> None:
        looks.put_nowait(conversation)
        await goes_on.wait()

    process.serve(look)
    await process.queue.ring(HERE)
    await looks.get()
    cluster.sql("UPDATE procrastinate_jobs SET status = 'todo', worker_id = NULL, scheduled_at = now() + interval '1 hour'")
    goes_on.set()
    await process.queue.ring(THERE)
    await looks.get()
    for task in process.tasks:
        task.cancel()
    await asyncio.wait(process.tasks)

    assert cluster.sql(JOBS) == [("todo",)]


async def test_work_to_which_a_stop_gets_lost_is_stopped_all_the_same(cluster: Cluster) -> None:
    process, begun = await cluster.process(), asyncio.Event()

    async def loses_a_stop() -> None:
        with suppress(asyncio.CancelledError):  # as `asyncio.wait_for` of Python 3.11 does, where its result comes in the same moment
            begun.set()
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    work = process.begin(process.engine.jobs.through_outages("lose", loses_a_stop, patience=0.01))
    await begun.wait()
    work.cancel()
    await asyncio.wait([work], timeout=5)

    assert work.cancelled()


async def test_whoever_asks_while_the_database_does_not_serve_is_told_as_by_the_store(cluster: Cluster) -> None:
    process = await cluster.process(setting="statement_timeout=20")
    running = WritingAnywhere(process.engine, TURNS, WritingHere())

    with psycopg.connect(cluster.url) as other:
        other.execute("LOCK TABLE procrastinate_jobs IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreError, match="statement timeout"):
            await process.queue.ring(HERE)
        with pytest.raises(StoreError, match="Try again in a moment"):
            await running.stop(HERE)


async def test_what_a_process_says_is_heard_by_all(cluster: Cluster) -> None:
    one, two, heard = await cluster.process(), await cluster.process(), asyncio.Queue[dict[str, str]]()

    async def hear(signal: object) -> None:
        assert isinstance(signal, dict)
        heard.put_nowait(signal)

    one.engine.signals.hear(hear)
    two.engine.signals.hear(hear)
    while heard.qsize() < 2:  # until both listen
        await one.engine.signals.send({"says": "hello"})
        await asyncio.sleep(0.02)

    assert heard.get_nowait() == {"says": "hello"}


async def test_a_signal_that_nobody_understands_is_passed_over(cluster: Cluster) -> None:
    process = await cluster.process()
    WritingAnywhere(process.engine, TURNS, WritingHere())
    with process.queue.rings(HERE) as ring:
        while not ring.is_set():  # until it listens
            await process.engine.signals.send({"ring": TURNS.lock(str(HERE))})
            await asyncio.sleep(0.01)
        for payload in ("no json", "7", '"text"', "[1]", "null", '{"stop": "x", "person": "", "question": "1"}'):
            cluster.sql(f"NOTIFY baku_signals, '{payload}'")
        ring.clear()
        await process.engine.signals.send({"ring": TURNS.lock(str(HERE))})
        await ring.wait()

    assert not any(task.done() for task in process.tasks)


def test_the_tables_are_those_of_the_version_that_is_asked_for() -> None:
    """When this fails, the library has new tables: add a migration with its steps, then name the new digest here."""
    assert sha256(SchemaManager.get_schema().encode()).hexdigest() == KNOWN_SCHEMA
