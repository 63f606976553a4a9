"""Each scope gets its night's work once a local day, whoever is rung, however often and however late."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from structlog.testing import capture_logs

from bot.domain.chat import MemoryScope
from bot.domain.job import NIGHT_TRIES, JobRecord, JobState
from bot.domain.persona import MemoryPolicy, Persona
from bot.jobs.night import LEASE, PAGE, scopes_of
from bot.memory.past.lease import HeldLease
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.databases import DATABASES
from bot.testing.factories import BO, GROUP, a_persona, a_scope
from tests.unit.jobs.stage import IRIS, OTTO, a_room, nights_on, remember, set_there

ADAS, BOS, ROOM = a_scope(), a_scope(person=BO), a_scope(GROUP)
NIGHT = datetime(2026, 5, 4, 3, tzinfo=UTC)
"""The first night after the start of the frozen clock."""
MINUTES = timedelta(minutes=5)


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    yield store
    await store.close()


async def killed_at(store: SqlStore, scope: MemoryScope) -> None:
    """Leave of a night what a process leaves that was killed after it had begun it."""
    async with store.write() as tx:
        for each in NIGHT_TRIES:
            if await tx.nights.claim(each, str(scope), NIGHT.date(), NIGHT):
                return


async def test_every_scope_of_every_persona_dreams_when_its_night_comes(store: SqlStore) -> None:
    nights = nights_on(store, IRIS, OTTO)
    ottos = a_scope(persona_id="otto")
    await remember(store, ADAS, BOS, ROOM, ottos)

    await nights.at(NIGHT - MINUTES)
    before = list(nights.dream.scopes)
    await nights.at(NIGHT)

    assert before == []
    assert set(nights.dream.scopes) == {ADAS, BOS, ROOM, ottos}
    assert [persona.id for persona, _ in nights.dream.asked] == ["iris", "iris", "iris", "otto"]
    assert nights.decay.asked == []


async def test_more_rings_on_one_day_change_nothing_and_the_next_night_comes(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ADAS)

    for ring in range(40):
        await nights.at(NIGHT + ring * timedelta(hours=1))

    assert nights.dream.times == [NIGHT, NIGHT + timedelta(days=1)]


async def test_a_restart_does_not_dream_again(store: SqlStore) -> None:
    await remember(store, ADAS)
    first, second = nights_on(store), nights_on(store)

    await first.at(NIGHT)
    await second.at(NIGHT + MINUTES)

    assert (len(first.dream.asked), len(second.dream.asked)) == (1, 0)


async def test_after_days_of_downtime_one_run_catches_up(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ADAS)
    await nights.at(NIGHT)

    for ring in range(3):
        await nights.at(NIGHT + timedelta(days=7, hours=4 + ring))

    assert nights.dream.times == [NIGHT, NIGHT + timedelta(days=7, hours=4)]


async def test_what_was_first_heard_after_the_night_waits_for_the_next(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ADAS, at=START)

    await nights.at(START)
    await nights.at(NIGHT - MINUTES)
    too_early = list(nights.dream.asked)
    await nights.at(NIGHT)

    assert too_early == []
    assert nights.dream.scopes == [ADAS]


async def test_processes_share_the_scopes_and_none_dreams_twice(store_url: str) -> None:
    one, two = SqlStore(store_url), SqlStore(store_url)
    await one.open()
    await two.open()
    rooms = [a_room(f"room {number}") for number in range(12)]
    await remember(one, *rooms)
    processes = [nights_on(one), nights_on(two), nights_on(two)]

    await asyncio.gather(*(process.at(NIGHT) for process in processes))

    dreamt = [scope for process in processes for scope in process.dream.scopes]
    assert sorted(map(str, dreamt)) == sorted(map(str, rooms))
    await one.close()
    await two.close()


async def test_the_time_is_that_of_the_personas_zone(store: SqlStore) -> None:
    nights = nights_on(store, replace(IRIS, time_zone="Asia/Tokyo"))
    await remember(store, ADAS)

    await nights.at(datetime(2026, 5, 3, 17, 55, tzinfo=UTC))
    early = list(nights.dream.asked)
    await nights.at(datetime(2026, 5, 3, 18, 0, tzinfo=UTC))

    assert early == []
    assert nights.dream.scopes == [ADAS]


async def test_a_server_may_have_its_own_time_and_zone(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ROOM, ADAS)
    await set_there(store, ROOM, dream_time="23:30", dream_zone="America/New_York")

    await nights.at(NIGHT)
    at_three = list(nights.dream.scopes)
    await nights.at(datetime(2026, 5, 4, 3, 30, tzinfo=UTC))

    assert at_three == [ADAS]
    assert nights.dream.scopes == [ADAS, ROOM]


async def test_a_new_schedule_does_not_bring_a_second_night_on_one_day(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ROOM)
    await nights.at(NIGHT)

    await set_there(store, ROOM, dream_time="22:00")
    for hours in (19, 43):
        await nights.at(NIGHT + timedelta(hours=hours))

    assert nights.dream.times == [NIGHT, NIGHT + timedelta(hours=43)]


async def test_where_dreams_are_off_memories_still_sink(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ROOM, ADAS)
    await set_there(store, ROOM, memory_dream="false")

    await nights.at(NIGHT)

    assert nights.dream.scopes == [ADAS]
    assert nights.decay.scopes == [ROOM]


async def test_a_persona_whose_memory_is_off_is_left_alone(store: SqlStore) -> None:
    nights = nights_on(store, replace(IRIS, memory=MemoryPolicy(enabled=False)))
    await remember(store, ADAS)

    await nights.at(NIGHT)

    assert nights.dream.asked + nights.decay.asked == []


async def test_jobs_work_by_the_policy_of_the_place(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ROOM)
    await set_there(store, ROOM, memory_forget_below="0.01")

    await nights.at(NIGHT)

    ((persona, _),) = nights.dream.asked
    assert persona.memory == replace(IRIS.memory, forget_below=0.01)


async def test_a_dream_that_fails_is_noted_and_the_others_go_on(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ADAS, BOS)

    async def fail_for_ada(persona: Persona, scope: MemoryScope, run: str) -> JobRecord:
        if scope == ADAS:
            raise RuntimeError("on purpose")
        return await nights.dream(persona, scope, run)

    nights.night = replace(nights.night, dream=fail_for_ada)
    with capture_logs() as logs:
        await nights.at(NIGHT)

    async with store.read() as tx:
        failed = await tx.nights.last("dream", str(ADAS))
    assert failed is not None
    assert (failed.state, failed.reason) == (JobState.FAILED, "RuntimeError")
    assert nights.dream.scopes == [BOS]
    assert [line["event"] for line in logs] == ["job_failed", "job_done"]


async def test_a_stop_in_the_middle_leaves_the_night_to_the_next_start(store: SqlStore) -> None:
    nights, later = nights_on(store), nights_on(store)
    await remember(store, ADAS)
    began = asyncio.Event()

    async def hang(persona: Persona, scope: MemoryScope, run: str) -> JobRecord:
        began.set()
        await asyncio.Event().wait()
        raise AssertionError

    nights.night = replace(nights.night, dream=hang)
    task = asyncio.create_task(nights.at(NIGHT))
    await began.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await later.at(NIGHT + MINUTES)

    assert later.dream.scopes == [ADAS]


@pytest.mark.parametrize(("kills", "dreams"), [(1, 1), (2, 1), (3, 0)])
async def test_a_kill_in_the_middle_leaves_the_night_to_another_process_a_few_times(store: SqlStore, kills: int, dreams: int) -> None:
    later = nights_on(store)
    await remember(store, ADAS)
    for _ in range(kills):
        await killed_at(store, ADAS)

    for ring in range(3):
        await later.at(NIGHT + ring * MINUTES)
    tonight = list(later.dream.scopes)
    await later.at(NIGHT + timedelta(days=1))

    assert tonight == [ADAS] * dreams
    assert later.dream.scopes == [ADAS] * (dreams + 1)


async def test_a_night_that_is_older_than_the_next_one_is_not_made_up_for(store: SqlStore) -> None:
    later = nights_on(store)
    await remember(store, ADAS)
    await killed_at(store, ADAS)

    await later.at(NIGHT + timedelta(days=1))
    await later.at(NIGHT + timedelta(days=1) + MINUTES)

    assert later.dream.times == [NIGHT + timedelta(days=1)]


async def test_a_night_that_another_process_is_at_is_left_to_it(store: SqlStore) -> None:
    nights = nights_on(store)
    await remember(store, ADAS)
    nights.clock.move(seconds=(NIGHT - START).total_seconds())

    async def meanwhile() -> None:
        await nights.at(NIGHT)

    await HeldLease(store, prefix=LEASE).hold("everywhere", meanwhile)
    before = list(nights.dream.scopes)
    await nights.at(NIGHT + MINUTES)

    assert before == []
    assert nights.dream.scopes == [ADAS]


async def test_a_night_without_its_store_is_logged_and_comes_later(store: SqlStore, tmp_path: Path) -> None:
    nights = nights_on(store)
    await remember(store, ADAS)
    nights.night = replace(nights.night, store=SqlStore(f"sqlite:///{tmp_path}/nowhere/baku.db"))

    with capture_logs() as logs:
        await nights.at(NIGHT)
    nights.night = replace(nights.night, store=store)
    await nights.at(NIGHT + MINUTES)

    assert [line["event"] for line in logs] == ["night_cut_short"]
    assert nights.dream.scopes == [ADAS]


async def test_all_scopes_are_found_however_many_there_are(store: SqlStore) -> None:
    rooms = [a_room(f"room {number}") for number in range(PAGE + 3)]
    await remember(store, *rooms, a_room("elsewhere", persona_id="otto"))

    found = [scope async for scope in scopes_of(store, "iris")]

    assert len(found) == len(rooms)
    assert set(found) == set(rooms)
    assert [scope async for scope in scopes_of(store, "nobody")] == []


async def test_a_persona_of_one_space_alone_dreams_there_by_its_own_clock_and_nowhere_else(store: SqlStore) -> None:
    nights = nights_on(store)
    rose = replace(a_persona("rose"), time_zone="Asia/Tokyo", memory=MemoryPolicy(dream_hours=9))
    here, elsewhere = a_scope(GROUP, persona_id="rose"), a_scope(persona_id="rose")
    await remember(store, here, elsewhere)
    async with store.write() as tx:
        await tx.personas.put(GROUP, here.audience, rose, by=BO, at=START, reason="made")

    await nights.at(datetime(2026, 5, 4, 3, tzinfo=ZoneInfo("Asia/Tokyo")).astimezone(UTC))

    assert [(persona.name, persona.memory.dream_hours, scope) for persona, scope in nights.dream.asked] == [(rose.name, 9, here)]
