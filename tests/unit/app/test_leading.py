"""What only one process of all may do."""

import asyncio
from datetime import timedelta

import pytest

from bot.app.leading import Leader
from bot.errors import LoginRefused
from bot.storage.store import SqlStore


class Work:
    """Something that goes on; tests see who is at it."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.running = 0

    async def __call__(self) -> None:
        self.began.set()
        self.running += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.running -= 1


def leader(store: SqlStore) -> Leader:
    return Leader(store, "events", held=timedelta(seconds=0.5), every=0.02)


async def test_a_second_process_waits_and_takes_over_when_the_first_one_stops(store: SqlStore) -> None:
    one, two = Work(), Work()
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        first = tasks.create_task(leader(store).run(one))
        await one.began.wait()
        second = tasks.create_task(leader(store).run(two))
        await asyncio.sleep(0.1)
        assert not two.began.is_set()

        first.cancel()
        await two.began.wait()

        assert one.running == 0
        second.cancel()


async def test_who_loses_the_lease_stops_and_leads_again_when_it_is_free(store: SqlStore) -> None:
    work = Work()
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        leading = tasks.create_task(leader(store).run(work))
        await work.began.wait()
        async with store.write() as tx:  # as if this process had stood still until another one led
            held = next(lease for lease in await tx.leases.all() if lease.name == "events")
            await tx.leases.release("events", held.owner)
            await tx.leases.take("events", "another", lasts=timedelta(seconds=0.3))
        work.began.clear()

        await work.began.wait()

        assert work.running == 1
        leading.cancel()


async def test_what_ends_the_work_ends_the_leading(store: SqlStore) -> None:
    async def refused() -> None:
        raise LoginRefused("wrong token")

    with pytest.raises(LoginRefused):
        await leader(store).run(refused)

    async with store.read() as tx:
        assert not [lease for lease in await tx.leases.all() if lease.name == "events"]
