"""The bell's part in erasing."""

from datetime import timedelta

from bot.domain.erasing import DeletedMessages, ErasureState
from bot.jobs.erasing import PAUSE, Erasing
from bot.memory.erasing.engine import Eraser
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.factories import GROUP
from tests.scenario.forgetting_stage import SECRET, fill, found_in


async def waiting(store: SqlStore) -> list[ErasureState]:
    """Return the states of the erasures that are not at their end."""
    async with store.read() as tx:
        return [erasure.state for erasure in await tx.erasures.unfinished()]


async def test_what_people_delete_one_by_one_is_wiped_together_and_not_at_every_ring(database_url: str) -> None:
    store, clock = SqlStore(database_url), FrozenClock()
    await store.open()
    await fill(store)
    eraser = Eraser(store, clock)
    erasing = Erasing(eraser)

    for message_id in ("m1", "m2"):
        await eraser.erase(DeletedMessages(GROUP, (message_id,)), wipes=False)
    assert await waiting(store) == [ErasureState.WIPING] * 2
    await erasing.ring()
    assert (await waiting(store), found_in(database_url, SECRET)) == ([], [])

    await eraser.erase(DeletedMessages(GROUP, ("m3",)), wipes=False)
    clock.move(seconds=(PAUSE - timedelta(minutes=5)).total_seconds())
    await erasing.ring()
    assert await waiting(store) == [ErasureState.WIPING]
    clock.move(seconds=300)
    await erasing.ring()
    assert await waiting(store) == []
    await store.close()


async def test_a_ring_that_fails_is_no_end_of_the_bell(database_url: str) -> None:
    store = SqlStore(database_url)

    await Erasing(Eraser(store, FrozenClock())).ring()
    await Erasing(Eraser(store, FrozenClock())).resume()
