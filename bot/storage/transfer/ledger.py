"""How far a move has come, kept in the database that is moved to, so that it says itself whether it is whole."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from bot.storage.schema import SUPPORT_TABLE
from bot.storage.sql.metadata import METADATA

MOVED_TABLES = tuple(table for table in METADATA.sorted_tables if table.name != SUPPORT_TABLE)
"""All tables but the one that is about the schema itself; what refers to another comes after it."""
MOVE_TABLE = "baku_move"
_MAKE = (
    "CREATE TABLE baku_move (source text NOT NULL, stamp text NOT NULL, revision text NOT NULL,"
    " begun_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz)",
    "CREATE TABLE baku_move_steps (table_name text PRIMARY KEY, last_key text NOT NULL, row_count bigint NOT NULL)",
)
_BEGIN = text("INSERT INTO baku_move (source, stamp, revision) VALUES (:source, :stamp, :revision)")
_GET = text("SELECT source, stamp, revision, finished_at FROM baku_move")
_STEPS = text("SELECT table_name, last_key, row_count FROM baku_move_steps")
_STEP = text(
    "INSERT INTO baku_move_steps VALUES (:table, :key, :rows) ON CONFLICT (table_name) DO UPDATE"
    " SET last_key = excluded.last_key, row_count = baku_move_steps.row_count + excluded.row_count"
)


@dataclass(frozen=True, slots=True)
class Move:
    """A move into a database."""

    source: str
    stamp: str
    """What the source was when it began."""
    revision: str
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """How far a move has come with a table."""

    last_key: Sequence[object] | None = None
    rows: int = 0


def move_of(connection: Connection) -> Move | None:
    """Return the move that a database was, or is being, filled by; None for any other database."""
    if connection.execute(text("SELECT to_regclass(:table)"), {"table": MOVE_TABLE}).scalar_one() is None:
        return None
    found = connection.execute(_GET).one_or_none()
    return None if found is None else Move(*found)


def is_half_moved(connection: Connection) -> bool:
    """Return whether a move into the database has not come to its end."""
    move = move_of(connection)
    return move is not None and move.finished_at is None


def begin(connection: Connection, move: Move) -> None:
    """Note that a move begins."""
    for statement in _MAKE:
        connection.execute(text(statement))
    connection.execute(_BEGIN, {"source": move.source, "stamp": move.stamp, "revision": move.revision})


def steps(connection: Connection) -> Mapping[str, Step]:
    """Return how far the move has come, by table; one that is not begun is missing."""
    return {name: Step(json.loads(key), rows) for name, key, rows in connection.execute(_STEPS)}


def note(connection: Connection, table: str, last_key: Sequence[object], rows: int) -> None:
    """Note that so many rows more of a table are there, and which was the last."""
    connection.execute(_STEP, {"table": table, "key": json.dumps(last_key), "rows": rows})


def note_stamp(connection: Connection, stamp: str) -> None:
    """Note what the source is now."""
    connection.execute(text("UPDATE baku_move SET stamp = :stamp"), {"stamp": stamp})


def finish(connection: Connection) -> None:
    """Note that all is there."""
    connection.execute(text("UPDATE baku_move SET finished_at = now()"))


def forget(connection: Connection) -> None:
    """Forget the move."""
    connection.execute(text("DROP TABLE IF EXISTS baku_move, baku_move_steps"))
