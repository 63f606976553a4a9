import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage.sqlite_connection import OneTripConnections


async def test_a_closed_connection_lets_go_of_its_lock_although_what_it_returned_is_still_held(tmp_path: Path) -> None:
    path = str(tmp_path / "tea.db")
    connection = OneTripConnections().connect(path, isolation_level=None)
    await connection
    await connection.run("CREATE TABLE tea (name TEXT)", ())

    connection.begin_with("BEGIN IMMEDIATE")
    held = await connection.run_many("INSERT INTO tea VALUES (?)", [("black",), ("green",)])
    found = await connection.run("SELECT name FROM tea", ())
    await connection.close()

    with closing(sqlite3.connect(path, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
        left = other.execute("SELECT count(*) FROM tea").fetchone()
    assert (held.rowcount, found.rows, left) == (2, [("black",), ("green",)], (0,))


async def test_a_connection_that_is_ended_while_it_is_opened_is_closed_and_says_so(tmp_path: Path) -> None:
    connections = OneTripConnections()
    opening = asyncio.ensure_future(connections.connect(str(tmp_path / "tea.db")))
    await asyncio.sleep(0)

    await connections.close()

    with pytest.raises(sqlite3.ProgrammingError, match="it was closed"):
        await opening
    with pytest.raises(sqlite3.ProgrammingError, match="it was closed"):
        connections.connect(str(tmp_path / "tea.db"))
