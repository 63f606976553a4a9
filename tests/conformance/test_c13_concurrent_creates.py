"""C13: an empty store, and 50 creates at once from two processes."""

import time

from bot.storage.store import SqlStore
from bot.testing.factories import a_scope
from tests.conformance.store_writers import create_many, writers


async def test_c13_fifty_creates_from_two_processes_give_fifty_memories(store_url: str) -> None:
    start = writers()
    begin = start.Barrier(3)
    processes = [start.Process(target=create_many, args=(store_url, 25, begin)) for _ in range(2)]
    for process in processes:
        process.start()

    begin.wait(timeout=60)
    begun = time.monotonic()
    for process in processes:
        process.join(timeout=60)
    seconds = time.monotonic() - begun

    store = SqlStore(store_url)
    await store.open()
    async with store.read() as tx:
        known = await tx.memories.page(a_scope(), limit=99)
    await store.close()
    assert [process.exitcode for process in processes] == [0, 0]
    assert [memory.number for memory in known] == list(range(1, 51))
    assert len({memory.id for memory in known}) == 50
    assert {memory.text for memory in known} == {f"fact {number} of process {process.pid}" for number in range(25) for process in processes}
    assert seconds < 5
