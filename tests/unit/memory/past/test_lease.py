"""One at a time writes about a conversation."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from socket import gethostname

import pytest

from bot.domain.past import Lease
from bot.memory.past.lease import HeldLease, release_dead
from bot.storage.store import SqlStore
from bot.testing.factories import DIRECT


@pytest.fixture
async def lease(database_url: str) -> AsyncIterator[HeldLease]:
    """Give the leases of a store."""
    store = SqlStore(database_url)
    await store.open()
    yield HeldLease(store, renew_seconds=0.01)
    await store.close()


async def held(lease: HeldLease) -> list[Lease]:
    async with lease.store.read() as tx:
        return list(await tx.leases.all())


async def test_a_lease_is_given_back_when_the_work_fails(lease: HeldLease) -> None:
    async def work() -> None:
        assert len(await held(lease)) == 1
        raise ValueError("no")

    with pytest.raises(ExceptionGroup):
        await lease.hold(DIRECT, work)

    assert await held(lease) == []


async def test_a_lease_is_given_back_when_the_work_is_cancelled(lease: HeldLease) -> None:
    begun = asyncio.Event()

    async def work() -> None:
        begun.set()
        await asyncio.Event().wait()

    holding = asyncio.create_task(lease.hold(DIRECT, work))
    await begun.wait()
    holding.cancel()
    await asyncio.gather(holding, return_exceptions=True)

    assert await held(lease) == []


async def test_two_pieces_of_work_of_one_process_do_not_share_it(lease: HeldLease) -> None:
    async def inner() -> None:
        raise AssertionError

    async def work() -> None:
        assert not await lease.hold(DIRECT, inner)

    assert await lease.hold(DIRECT, work)


async def test_work_ends_when_its_lease_is_lost(lease: HeldLease) -> None:
    async def work() -> None:
        (mine,) = await held(lease)
        async with lease.store.write() as tx:
            await tx.leases.release(mine.name, mine.owner)
            await tx.leases.take(mine.name, "other:1:1", lasts=timedelta(hours=1))
        await asyncio.Event().wait()

    with pytest.raises(ExceptionGroup):
        await lease.hold(DIRECT, work)

    assert [each.owner for each in await held(lease)] == ["other:1:1"]


@pytest.mark.parametrize(
    ("owner", "kept"),
    [
        pytest.param(f"{gethostname()}:{os.getpid()}:x", False, id="from before our start"),
        pytest.param(f"{gethostname()}:{os.getppid()}:x", True, id="runs"),
        pytest.param(f"{gethostname()}:1:x", True, id="somebody else's process"),
        pytest.param("elsewhere:999999999:x", True, id="another machine"),
        pytest.param("nonsense", True, id="unknown form"),
    ],
)
async def test_only_leases_of_dead_processes_of_this_machine_are_given_back(lease: HeldLease, owner: str, kept: bool) -> None:
    async with lease.store.write() as tx:
        await tx.leases.take("past:x", owner, lasts=timedelta(minutes=10))

    await release_dead(lease.store)

    assert bool(await held(lease)) is kept


async def test_leases_of_work_that_goes_on_here_are_kept(lease: HeldLease) -> None:
    async def work() -> None:
        assert await release_dead(lease.store) == 0

    assert await lease.hold(DIRECT, work)


async def test_other_leases_are_left_alone(lease: HeldLease) -> None:
    async with lease.store.write() as tx:
        await tx.leases.take("other", f"{gethostname()}:{os.getpid()}:x", lasts=timedelta(minutes=10))

    assert await release_dead(lease.store) == 0
