"""Somebody waits for a dream that another process dreams, and learns what came of it."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from bot.domain.chat import MemoryScope
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.persona import Persona, Personas
from bot.jobs.asked_dreams import LEASE, PATIENCE, DreamsElsewhere, DreamsForOthers, OneDreamAtATime
from bot.memory.dreams.dream import UNDER_WAY, DreamReport
from bot.ports.queue import DreamOfRun
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import GROUP, a_persona, a_scope
from tests.unit.jobs.stage import set_there

IRIS = a_persona("iris")


@dataclass(slots=True)
class Dreams:
    """Notes what is to be dreamt, and keeps a record of it."""

    store: SqlStore
    asked: list[tuple[Persona, str, bool]] = field(default_factory=list)

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False, run: str = "") -> DreamReport:
        self.asked.append((persona, run, dry_run))
        record = JobRecord(run, DREAM, str(scope), JobState.DONE, START, 1.0)
        async with self.store.write() as tx:
            await tx.nights.finish(record)
        return DreamReport(record)


@dataclass(slots=True)
class Queue:
    """A worker that comes to it at the third look, if ever."""

    worker: DreamOfRun
    is_manned: bool = True
    looks: int = 0

    async def ring(self, run: str, scope: MemoryScope) -> None:
        self.looks = 0

    async def is_asked(self, run: str, scope: MemoryScope) -> bool:
        self.looks += 1
        if self.is_manned and self.looks == 3:
            await self.worker(run, scope)
        return not self.is_manned or self.looks < 3

    async def run(self, dream: DreamOfRun) -> None:
        raise NotImplementedError


async def test_the_worker_dreams_by_the_policy_of_the_place_and_whoever_waits_gets_the_record(store: SqlStore) -> None:
    dreams = Dreams(store)
    await set_there(store, a_scope(), memory_forget_below="0.01")
    queue = Queue(DreamsForOthers(dreams, store, Personas({"iris": IRIS}, "iris")).dream)

    report = await DreamsElsewhere(dreams, store, FrozenClock(), queue).report(IRIS, a_scope())

    ((persona, run, _),) = dreams.asked
    assert persona.memory == replace(IRIS.memory, forget_below=0.01)
    assert (report.record.run, report.record.state) == (run, JobState.DONE)


async def test_who_waited_long_enough_is_told_that_it_goes_on(store: SqlStore) -> None:
    clock, dreams = FrozenClock(), Dreams(store)

    report = await DreamsElsewhere(dreams, store, clock, Queue(lambda *_: pytest.fail("nobody is there"), is_manned=False)).report(
        IRIS, a_scope()
    )

    assert (report.record.reason, dreams.asked) == (UNDER_WAY, [])
    assert sum(clock.slept) == PATIENCE


@dataclass(slots=True)
class SlowDreams(Dreams):
    """Dreams that go on until they are let."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False, run: str = "") -> DreamReport:
        report = await Dreams.report(self, persona, scope, dry_run=dry_run, run=run)
        self.begun.set()
        await self.go_on.wait()
        return report


async def test_who_asks_again_while_a_dream_goes_on_there_has_no_second_one_dreamt(store: SqlStore) -> None:
    dreams = SlowDreams(store)
    one_at_a_time = OneDreamAtATime(dreams, store, FrozenClock())

    first = asyncio.create_task(one_at_a_time.report(IRIS, a_scope(), run="1"))
    await dreams.begun.wait()
    second = await one_at_a_time.report(IRIS, a_scope(), run="2")
    dreams.go_on.set()
    await one_at_a_time.report(IRIS, a_scope(GROUP), run="3")
    await first
    await one_at_a_time.report(IRIS, a_scope(), run="4")

    assert second.record.reason == UNDER_WAY
    assert [run for _, run, _ in dreams.asked] == ["1", "3", "4"]


async def test_a_run_whose_worker_was_killed_goes_on_elsewhere_at_once(store: SqlStore) -> None:
    dreams, scope = Dreams(store), a_scope()
    async with store.write() as tx:
        await tx.leases.take(f"{LEASE}{scope}", "1", lasts=timedelta(minutes=10))

    report = await OneDreamAtATime(dreams, store, FrozenClock()).report(IRIS, scope, run="1")

    assert report.record.state is JobState.DONE


async def test_a_dry_run_is_done_here(store: SqlStore) -> None:
    dreams = Dreams(store)
    elsewhere = DreamsElsewhere(dreams, store, FrozenClock(), Queue(DreamsForOthers(dreams, store, Personas({"iris": IRIS}, "iris")).dream))

    await elsewhere.report(IRIS, a_scope(), dry_run=True)

    assert dreams.asked == [(IRIS, "", True)]
