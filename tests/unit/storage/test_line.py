"""What waits is found by an index of its own, however many messages there are."""

import re
import sqlite3
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Select
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine import Dialect

from bot.storage.migrate import upgrade
from bot.storage.sql import line

STATEMENTS: list[Select[Any]] = [line._WAITING, line._OLDEST, line._NEWEST, line._UNTOUCHED]


def written(statement: Select[Any], dialect: Dialect) -> str:
    """Return a statement with numbers for its values."""
    filled = statement.params(most=10, after=0, upto=10)
    text = str(filled.compile(dialect=dialect, compile_kwargs={"render_postcompile": True}))
    numbers = count(10, step=1000)
    return re.sub(r"(?<!:):[a-z_]+[0-9]*\b", lambda _: str(next(numbers)), text)


@pytest.mark.parametrize("number", range(len(STATEMENTS)))
def test_a_file_looks_only_among_what_waits(tmp_path: Path, number: int) -> None:
    upgrade(f"sqlite:///{tmp_path / 'baku.db'}")

    with sqlite3.connect(tmp_path / "baku.db") as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {written(STATEMENTS[number], sqlite.dialect(paramstyle='named'))}").fetchall()

    reads = [str(step[-1]) for step in plan if "messages" in str(step[-1])]
    assert all("ix_messages_line" in step or "ix_messages_waiting" in step for step in reads), reads
    assert not any("B-TREE" in str(step[-1]) for step in plan)


def test_a_server_looks_only_among_what_waits(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("SET enable_seqscan = off")
        for statement in STATEMENTS:
            plan = connection.execute(f"EXPLAIN {written(statement, PGDialect_psycopg(paramstyle='named'))}".encode()).fetchall()  # type: ignore[no-untyped-call] # SQLAlchemy has no types for it
            reads = [str(step) for (step,) in plan if "Scan" in str(step) and "messages" in str(step)]
            assert reads, plan
            assert all("_id_idx" in step or "line" in step or "waiting" in step or "conversation_id_idx" in step for step in reads), plan
            assert not any("Sort" in str(step) for (step,) in plan), plan
