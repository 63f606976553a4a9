import sqlite3
from contextlib import closing
from pathlib import Path

from bot.storage.sqlite_connection import one_trip_connection


async def test_a_closed_connection_lets_go_of_its_lock_although_what_it_returned_is_still_held(tmp_path: Path) -> None:
    path = str(tmp_path / "tea.db")
    connection = one_trip_connection(path, isolation_level=None)
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
