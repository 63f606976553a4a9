"""`baku migrate --from … --to …` as an operator types it."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bot.storage.migrate import upgrade
from tests.unit.cli.conftest import Baku

MANY = 15_000
"""Messages: two batches."""
SAY = f"""
    INSERT INTO messages (conversation, kind, role, author_id, author_name, author_is_bot, author_is_service, text, sent_at, state,
        addressed_to_bot, attempts, persona_id)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {MANY})
    SELECT 'discord:1:1:', 'group', 'user', 'ada', 'Ada', 0, 0, 'message ' || n, '2026-05-03 10:00:00.000000+00:00', 'done', 0, 0, ''
    FROM numbers
"""


@pytest.fixture
def grown(folder: Path) -> Path:
    """Return a file with many messages, in the folder that commands run in."""
    path = folder / "grown.db"
    upgrade(f"sqlite:///{path}")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(SAY)
    return path


def test_a_move_that_is_killed_in_the_middle_goes_on_and_shows_that_all_is_equal(baku: Baku, grown: Path, move_goal: str) -> None:
    command = [sys.executable, "-m", "bot", "migrate", "--from", str(grown), "--to", move_goal]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout
        told = process.stdout.readline()
        process.send_signal(signal.SIGKILL)

    half = baku("memory", "list", "--db", move_goal)
    whole = baku("migrate", "--from", str(grown), "--to", move_goal)

    assert told.startswith("Moved: 10000 of ")
    assert half.code == 1
    assert "not all is there yet" in half.err
    assert whole.code == 0, whole.err
    assert ["messages", str(MANY), str(MANY), "✓"] in [line.split() for line in whole.out.splitlines()]
    assert "Set BAKU_DB to the server's address" in whole.out
    assert "nothing to do" in baku("migrate", "--from", str(grown), "--to", move_goal).out


def test_a_move_goes_to_the_server_of_the_settings_and_says_when_a_table_differs(
    baku: Baku, grown: Path, move_goal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAKU_DB", move_goal)
    with psycopg.connect(move_goal) as connection:
        connection.execute("CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.text = 'else'; RETURN NEW; END$$")
        connection.execute("CREATE TRIGGER other BEFORE INSERT ON messages FOR EACH ROW WHEN (NEW.id = 7) EXECUTE FUNCTION other()")

    try:
        moved = baku("migrate", "--from", f"sqlite:///{grown}")
    finally:
        with psycopg.connect(move_goal) as connection:
            connection.execute("DROP TRIGGER other ON messages; DROP FUNCTION other")

    assert moved.code == 1
    assert ["messages", str(MANY), str(MANY), "✗"] in [line.split() for line in moved.out.splitlines()]
    assert "the server is not used" in moved.out


def test_the_ends_of_a_move_belong_together(baku: Baku) -> None:
    refused = baku("migrate", "--to", "postgresql://ada:sesame9@127.0.0.1:1/baku")

    assert refused.code == 2
    assert "--from" in refused.err


def test_a_password_in_an_address_is_never_shown(baku: Baku, grown: Path) -> None:
    failed = baku("migrate", "--from", str(grown), "--to", "postgresql://ada:sesame9@127.0.0.1:1/baku?connect_timeout=1&password=sesame8")

    assert failed.code == 1
    assert "127.0.0.1:1/baku cannot be reached" in failed.err
    assert "sesame" not in failed.err + failed.out
