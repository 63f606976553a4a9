import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from bot.domain.chat import binding_targets
from bot.domain.memory import Fold, Level, RecallNote
from bot.domain.message import MessageState
from bot.errors import StoreDamaged, StoreError
from bot.storage.sql.metadata import METADATA
from bot.storage.sql.transaction import SqlTransaction, transaction_on
from bot.storage.sqlite import SqliteDatabase, TemporaryDatabase
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import DIRECT, GROUP, incoming
from bot.testing.store_corpora import ELSEWHERE, TURNS, said, vectors
from bot.testing.store_memories import SCOPE, remember
from bot.testing.store_memories import entry as entry_of
from bot.testing.store_messages import TARGET, heard, replied
from bot.testing.store_nights import TODAY, a_run
from bot.testing.store_past import TEN_MINUTES, a_structured_memory, a_summary, planned

TABLES = tuple(METADATA.tables)
SCANS = [
    "SCAN job_records USING INDEX ix_job_records_started_at",  # ends after the last few
    "SCAN leases",  # holds only what is being done
    "SCAN messages",  # last_heard, asked once at a start
    "SCAN messages USING INDEX ix_messages_waiting",  # holds only what waits
    "SCAN outbox USING COVERING INDEX ix_outbox_conversation_id",  # holds only what is unsent
]
WHOLE_SCOPE = "SEARCH memories USING INDEX sqlite_autoindex_memories_1 (scope_id=?)"
ONE_LEVEL = "SEARCH memories USING COVERING INDEX ix_memories_level (scope_id=? AND level=?"


def damage(path: Path) -> None:
    """Overwrite all pages but the first two."""
    path.write_bytes(path.read_bytes()[:8192] + b"\xff" * (path.stat().st_size - 8192))


def left_in(folder: Path) -> dict[str, bytes]:
    """Return what stands on the disk."""
    return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.exists() else {}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a file that is not there yet."""
    return tmp_path / "baku.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqlStore]:
    """Give an open store in that file."""
    store = SqlStore(f"sqlite:///{path}")
    await store.open()
    yield store
    await store.close()


async def test_what_is_forgotten_is_in_no_byte_of_the_file(path: Path, store: SqlStore) -> None:
    async with store.write() as tx:
        for number in range(50):
            await remember(tx.memories, f"Ada was in Zanzibar {number} times")
        await tx.messages.record(incoming("Zanzibar, always", message_id="m2"), MessageState.HEARD)
    async with store.write() as tx:
        await tx.memories.remove_persona("iris")
        await tx.messages.change_text(DIRECT, "m2", "gone")

    await store.close()

    (content,) = left_in(path.parent).values()
    assert b"gone" in content
    assert b"zanzibar" not in content.lower()


async def test_damage_that_comes_while_it_runs_is_called_by_its_name(path: Path, store: SqlStore) -> None:
    async with store.write() as tx:
        for number in range(300):
            await remember(tx.memories, f"fact {number}")
    await store.close()
    await store.open()
    damage(path)

    with pytest.raises(StoreDamaged, match=r"baku\.db is damaged"):
        async with store.read() as tx:
            await tx.memories.at_level(SCOPE, Level.WORKING, fading=0.02, limit=300)


async def test_errors_do_not_repeat_what_was_said(store: SqlStore) -> None:
    async with store.write() as tx:
        memory = await remember(tx.memories, "a secret")

    with pytest.raises(StoreError) as raised:
        async with store.write() as tx:
            await tx.memories.add(memory)

    assert raised.value.__cause__ is not None
    assert "a secret" not in f"{raised.value} {raised.value.__cause__}"


async def test_a_temporary_store_leaves_nothing() -> None:
    database = TemporaryDatabase()
    await database.open()
    async with database.reading() as connection:
        (file,) = [row.file for row in await connection.exec_driver_sql("PRAGMA database_list")]
    assert left_in(Path(file).parent)

    await database.close()

    assert not left_in(Path(file).parent)


async def test_connections_are_set_up_for_many_programs(path: Path) -> None:
    database = SqliteDatabase(path)
    await database.open()

    async with database.writing() as connection:
        asked = {
            name: (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "foreign_keys", "busy_timeout")
        }

    await database.close()
    assert asked == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 30_000}


async def write_everything(database: SqliteDatabase) -> None:
    """Run every statement that writes."""
    async with database.writing() as connection:
        tx = transaction_on(connection)
        await remember(tx.memories, "Bo likes tea", level=Level.DEEP)
        (message,) = await heard(tx, "1")
        reply = await replied(tx)
        entry = await tx.outbox.put(TARGET, "hi", reply.id)
        await tx.outbox.mark_part_sent(entry.id, 1)
        await tx.outbox.remove(entry.id)
        await tx.messages.set_state([message.id], MessageState.DONE)
        await tx.messages.count_attempt([message.id])
        await tx.messages.set_platform_id(reply.id, "2")
        await tx.messages.change_text(DIRECT, "1", "new")
        memory = await remember(tx.memories, "Ada likes tea")
        await tx.messages.note_recalled(reply.id, [RecallNote(1, "why")])
        await tx.memories.write_journal([entry_of(memory, after=memory)])
        await tx.memories.put(replace(memory, text="Ada likes cake"))
        await tx.memories.set_fold(SCOPE, Fold((1,)))
        await tx.memories.set_fold(SCOPE, None)
        await tx.memories.blank_journal(memory.id)
        await tx.memories.remove(SCOPE, memory.number)
        await tx.memories.move(SCOPE, [1], Level.DEEP)
        await tx.memories.copy_persona("iris", "twin")
        await tx.memories.remove_persona("twin")
        await tx.nights.claim("dream", "iris", TODAY, START)
        await tx.nights.finish(a_run())
        await tx.settings.set("discord", "10", "zone", "UTC")
        await tx.settings.set("discord", "10", "zone", "")
        await write_past(tx)
        await write_corpora(tx)


async def write_past(tx: SqlTransaction) -> None:
    """Run every statement that writes what the background does."""
    await tx.pasts.note(DIRECT, checked_row=1)
    await planned(tx, 1)
    await tx.pasts.add_summary(a_summary(9))
    await tx.pasts.add_structured([a_structured_memory("one")])
    await tx.pasts.begin_building(DIRECT, chunk_tokens=0)
    await tx.pasts.finish_building(DIRECT)
    await tx.pasts.drop_generation(DIRECT, 1)
    await tx.leases.take("past", "a", lasts=TEN_MINUTES)
    await tx.leases.release("past", "a")


async def write_corpora(tx: SqlTransaction) -> None:
    """Run every statement that writes what search reads."""
    for number in (1, 2, 1):
        await tx.corpora.add(TURNS, [said(number, f"cat{number}")])
        await tx.corpora.put_vectors(TURNS, "e", [number], vectors(1))
    await tx.corpora.remove(TURNS, [1])
    await tx.corpora.clear(ELSEWHERE)
    await tx.corpora.add(ELSEWHERE, [said(1)])
    await tx.corpora.clear(ELSEWHERE)


async def read_past(database: SqliteDatabase) -> None:
    """Run every statement that reads the past."""
    async with database.reading() as connection:
        tx = transaction_on(connection)
        await tx.messages.page(DIRECT, limit=9)
        await tx.messages.several(DIRECT, [1, 2])
        await tx.messages.recalled_past(DIRECT)
        await tx.pasts.state(DIRECT)
        await tx.pasts.chunks(DIRECT, 0, limit=9)
        await tx.pasts.last_chunks(DIRECT, 0, limit=9)
        await tx.pasts.condensed(DIRECT, 1)
        await tx.pasts.last_row(DIRECT, 0)
        await tx.pasts.count(DIRECT, 0)
        await tx.pasts.summary(DIRECT, 0)
        await tx.pasts.structured(DIRECT, [1, 2])
        await tx.pasts.structured_page(DIRECT, 0, limit=9)
        await tx.leases.all()
        await tx.corpora.documents(TURNS)
        await tx.corpora.postings(TURNS, ["cat", "dog"])
        await tx.corpora.likenesses(TURNS, vectors(1), embedder="e")
        await tx.corpora.without_vectors(TURNS, "e", limit=9)


async def read_everything(database: SqliteDatabase) -> None:
    """Run every statement that only reads, those for memories aside."""
    async with database.reading() as connection:
        tx = transaction_on(connection)
        await tx.messages.get(SCOPE.audience, 1)
        await tx.messages.history(DIRECT, before=9, limit=9)
        await tx.messages.last_heard("discord", limit=9)
        await tx.messages.waiting(DIRECT)
        await tx.messages.waiting_conversations()
        await tx.outbox.unsent(DIRECT)
        await tx.outbox.unsent_conversations()
        await tx.bindings.find(binding_targets(GROUP))
        await tx.entities.mentions(SCOPE.audience, "Paris", limit=9)
        await tx.usage.totals(DIRECT)
        await tx.messages.recalled(DIRECT)
        await tx.nights.last("dream", "iris")
        await tx.nights.get("run")
        await tx.nights.history(limit=9)
        await tx.nights.history(job="dream", limit=9)
        await tx.nights.history(subject="iris", limit=9)
        await tx.nights.history(job="dream", subject="iris", limit=9)
        await tx.settings.all("discord", "10")


async def read_memories(database: SqliteDatabase) -> None:
    """Run every statement that reads memories."""
    async with database.reading() as connection:
        tx = transaction_on(connection)
        await tx.memories.get(SCOPE, 1)
        await tx.memories.several(SCOPE, [1, 2])
        await tx.memories.by_handle(SCOPE, "7c8855bf")
        await tx.memories.same_text(SCOPE, "tea")
        await tx.memories.count(SCOPE)
        await tx.memories.page(SCOPE, limit=9)
        await tx.memories.at_level(SCOPE, Level.DEEP, fading=0.02, limit=9)
        await tx.memories.faded_below(SCOPE, Level.DEEP, 0.25, fading=0.02, now=START, limit=9)
        await tx.memories.used(SCOPE, limit=9)
        await tx.memories.deep_groups(SCOPE, fading=0.02, handles=5)
        await tx.memories.fold(SCOPE)
        await tx.memories.scopes(persona_id="iris", limit=9)
        await tx.memories.about(SCOPE, "ada", limit=9)
        await tx.memories.search(SCOPE, "tea or cake", limit=9)
        await tx.memories.journal(SCOPE, limit=9)
        await tx.memories.journal(SCOPE, number=1, limit=9)
        await tx.memories.journal_of_run(SCOPE, "dream")


async def test_every_statement_walks_an_index(path: Path) -> None:
    database = SqliteDatabase(path)
    await database.open()
    seen: list[tuple[str, Any]] = []
    for engine in (database._reader, database._writer):
        event.listen(engine.sync_engine, "before_cursor_execute", lambda *call: seen.append((call[2], call[3][0] if call[5] else call[3])))

    await write_everything(database)
    await read_everything(database)
    await read_memories(database)
    await read_past(database)
    await database.close()

    with closing(sqlite3.connect(path)) as connection:
        plans = [
            row[3] for sql, values in seen if not sql.startswith("BEGIN") for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)
        ]
    assert len(plans) > 50
    assert sorted({plan for plan in plans if plan.startswith(tuple(f"SCAN {table}" for table in TABLES))}) == SCANS
    assert WHOLE_SCOPE not in plans
    assert len([plan for plan in plans if plan.startswith(ONE_LEVEL)]) == 5, "count, at_level, faded_below, and deep_groups twice"


@pytest.mark.parametrize("told_to_stop", [True, False])
async def test_a_file_is_closed_although_somebody_still_reads_writes_or_waits_for_a_turn(path: Path, *, told_to_stop: bool) -> None:
    database = SqliteDatabase(path)
    await database.open()

    async def read() -> None:
        while True:
            async with database.reading() as connection:
                await connection.execute(text("SELECT 1"))

    async def write() -> None:
        while True:
            async with database.writing() as connection:
                await connection.execute(text("CREATE TABLE IF NOT EXISTS tea (name TEXT)"))

    busy = [asyncio.create_task(read()) for _ in range(6)] + [asyncio.create_task(write())]
    await asyncio.sleep(0.005)
    for task in busy:
        if told_to_stop:
            task.cancel()

    await database.close()

    with closing(sqlite3.connect(path, timeout=0)) as other:
        other.execute("PRAGMA journal_mode = DELETE")  # refused while a connection is open
    ends = await asyncio.gather(*busy, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError if told_to_stop else DBAPIError | asyncio.CancelledError) for end in ends)
