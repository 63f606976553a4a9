"""C14: a writer is killed 20 times."""

import random
import time
from pathlib import Path

from bot.domain.memory import Memory
from bot.storage.store import SqlStore
from bot.testing.factories import a_scope
from tests.conformance.store_writers import create, create_endlessly, writers

KILLS = 20


def kill_a_writer(url: str, seconds: float) -> None:
    """Let a process write for so long, then kill it."""
    start = writers()
    started = start.Event()
    process = start.Process(target=create_endlessly, args=(url, started))
    process.start()
    assert started.wait(timeout=60)
    time.sleep(seconds)
    process.kill()
    process.join(timeout=60)
    assert process.exitcode == -9


async def test_c14_store_opens_and_writes_after_every_kill(tmp_path: Path, database_url: str) -> None:
    (tmp_path / "baku.db.lock").write_text("4711")
    moments = random.Random(14)
    kept: list[Memory] = []

    for kill in range(KILLS):
        kill_a_writer(database_url, moments.uniform(0.0, 0.12))

        begun = time.monotonic()
        store = SqlStore(database_url)
        await store.open()
        number = await create(store, f"after kill number {kill}")
        seconds = time.monotonic() - begun

        async with store.read() as tx:
            known = list(await tx.memories.page(a_scope(), limit=9999))
            journal = await tx.memories.journal(a_scope(), limit=9999)
        await store.close()
        assert seconds < 1
        assert known[: len(kept)] == kept
        assert known[-1].number == number
        assert [line.number for line in reversed(journal)] == [memory.number for memory in known]
        kept = known
    assert len(kept) > KILLS
