"""A server that holds much, and what it makes of the statements that a bot runs there."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from sqlalchemy import JSON, Boolean, Column, Date, Engine, Integer, LargeBinary, Table, Uuid, event
from sqlalchemy.types import Float, TypeEngine

from bot.domain.chat import audience_of
from bot.storage.sql.metadata import METADATA
from bot.storage.sql.tables import Moment
from bot.testing.factories import ADA, GROUP, kind_of

SMALL = frozenset(
    {
        "bindings",
        "drafts",  # as these four, what is being answered just now
        "message_files",
        "outbox",
        "passing_messages",
        "erasures",  # those at work
        "leases",
        "schema_support",
        "space_personas",  # of those that have made one their own; once a night all are read, page by page
        "space_settings",
        "departures",
    }
)
"""Tables that may be read from end to end."""
BIG = (frozenset(METADATA.tables) - SMALL) | {"procrastinate_jobs"}
ROWS = 4_000
MORE_ROWS = {"messages": 20_000, "memories": 15_000, "relations": 20_000} | dict.fromkeys(
    ("memory_scopes", "memory_terms", "journal", "entities", "entity_keys"), 10_000
)
TIMES = 5_000.0
"""How many times as many rows the planner is told of."""
_LOOK_BIG = """
UPDATE pg_class SET reltuples = reltuples * %(times)s WHERE reltuples > 0 AND oid IN (
    WITH big AS (
        SELECT oid FROM pg_class WHERE relname = ANY(%(big)s) AND relkind IN ('r', 'p')
        UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = 'messages'::regclass
    )
    SELECT oid FROM big UNION SELECT indexrelid FROM pg_index WHERE indrelid IN (SELECT oid FROM big)
)
RETURNING relname
"""
"""The planner multiplies a table's real pages with the rows a page that stand here. The transaction is taken back: nobody else sees it."""
_READ_HERE = "SELECT seq_scan, coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables WHERE relname = %(table)s"
_JOBS = """
INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, args, status)
SELECT 'turns', 'turns', 20, 'turns discord:7:' || n || ':', '{}',
    CASE WHEN n % 500 = 0 THEN 'doing' ELSE 'todo' END::procrastinate_job_status
FROM generate_series(1, 10000) AS n
"""
_SPACE = audience_of(GROUP, kind_of(GROUP), "")


def _of_group(there: str, elsewhere: str) -> str:
    """Return a value for every fortieth row, which is of the group that the test plays in, and one for all others."""
    return f"CASE WHEN n % 40 = 0 THEN {there} ELSE {elsewhere} END"


_BY_NAME: Mapping[str, str] = {
    "conversation": _of_group(f"'{GROUP}'", "'discord:7:' || n % 50 || ':'"),
    "audience_kind": "'conversation'",
    "audience_id": _of_group(f"'{_SPACE.id}'", "'discord:7:' || n || ':'"),
    "scope_id": _of_group("40", f"n % {ROWS} + 1"),
    "author_id": _of_group(f"'{ADA.id}'", "'p' || n"),
    "persona_id": _of_group("'iris'", "'other'"),
    "kind": "'group'",
    "role": "'user'",
    "state": "'done'",
    "platform": "'discord'",
    "is_last": "false",
    "last_number": "100000",
    "uses": "CASE WHEN n % 400 = 0 THEN 1 ELSE 0 END",
    "author_is_bot": "false",
    "level": "n % 3 + 1",
    "generation": "0",
    "depth": "0",
    "counts": "'{}'",
    "kinds": "'{}'",
    "aliases": "'[]'",
    "entities": "'[]'",
    "key_phrases": "'[]'",
    "people": "'[]'",
    "notes": "'[]'",
    "past": "''",
    "fold": "NULL",
    "before": "''",
    "after": "''",
    "term": "'t' || n % 500",
    "importance": "(n % 100) / 100.0",
    "condensed_into": "NULL",
    "building": "NULL",
    **dict.fromkeys(("indexed_row", "checked_row", "related_row"), _of_group("19900", "1000000")),
    **dict.fromkeys(("history_floor", "summary_failures", "failures", "building_chunk_tokens"), "0"),
}
_BY_TYPE: Mapping[type[TypeEngine[Any]], str] = {
    Boolean: "n % 2 = 0",
    Integer: "n",
    Float: "n",
    Date: "date '2026-05-01' - (n % 300)::int",
    JSON: "'[]'",
    LargeBinary: r"'\x00'",
    Uuid: "lpad(to_hex(n), 32, '0')::uuid",
    Moment: "timestamptz '2026-05-03 09:59' - n * interval '20 seconds'",
}


@contextmanager
def grown(url: str) -> Iterator[None]:
    """Fill every big table, and empty it again."""
    names = ", ".join(sorted(METADATA.tables))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica; SET synchronous_commit = off")
        for table in METADATA.sorted_tables:
            if table.name in BIG:
                connection.execute(_filling(table).encode())
        connection.execute(_JOBS)
        connection.execute("ANALYZE")
        yield
        connection.execute(f"TRUNCATE {names}, procrastinate_jobs RESTART IDENTITY CASCADE".encode())


def _filling(table: Table) -> str:
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    values = ", ".join(_value(column) for column in table.columns)
    rows = MORE_ROWS.get(table.name, ROWS)
    ids = "" if table.autoincrement_column is None else f"; SELECT setval('{table.name}_id_seq', {rows})"
    return f"INSERT INTO {table.name} ({columns}) SELECT {values} FROM generate_series(1, {rows}) AS n ON CONFLICT DO NOTHING{ids}"


def _value(column: Column[Any]) -> str:
    by_type = next((value for kind, value in _BY_TYPE.items() if isinstance(column.type, kind)), f"'{column.name} ' || n")
    if column.name == "conversation" and (column.primary_key or column.table.name == "corpora"):
        return _of_group(f"'{GROUP}'", "'discord:7:' || n || ':'")
    return "NULL" if column.name == "ended_at" and column.nullable else _BY_NAME.get(column.name, by_type)


class Heard:
    """Statements that were run, each once, with values that it was run with."""

    def __init__(self) -> None:
        self.statements: dict[str, Any] = {}

    def __call__(self, _: object, __: object, statement: str, values: Any, *___: object) -> None:
        one = values[0] if isinstance(values, list) else values
        if statement.lstrip().upper().startswith(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")):
            self.statements.setdefault(statement, one)


@contextmanager
def hearing() -> Iterator[Heard]:
    """Hear all statements that anybody runs."""
    heard = Heard()
    event.listen(Engine, "before_cursor_execute", heard)
    try:
        yield heard
    finally:
        event.remove(Engine, "before_cursor_execute", heard)


def whole_reads(url: str, heard: Heard, *, without: Sequence[str] = ()) -> dict[str, list[str]]:
    """Return the statements that would read all of a big table, with what they read; as if some indexes were not there."""
    found = {}
    with psycopg.connect(url) as connection:
        for index in without:
            connection.execute(f"DROP INDEX {index}".encode())
        partial = {name for (name,) in connection.execute("SELECT indexrelid::regclass::text FROM pg_index WHERE indpred IS NOT NULL")}
        big = {name for (name,) in connection.execute(_LOOK_BIG, {"big": sorted(BIG), "times": TIMES})}
        for statement, values in heard.statements.items():
            ((plans,),) = connection.execute(b"EXPLAIN (FORMAT JSON) " + statement.encode(), values).fetchall()
            if read := list(_whole_reads(plans[0]["Plan"], big, partial, is_limited=False)):
                found[statement] = read
        connection.rollback()
    return found


def _whole_reads(plan: dict[str, Any], big: Collection[str], partial: Collection[str], *, is_limited: bool) -> Iterator[str]:
    """Yield what a plan reads whole: a limit ends a walk along an index only where each row on the way is one that is wanted."""
    kind, table, index = plan["Node Type"], plan.get("Relation Name", ""), plan.get("Index Name", "")
    is_through = "Index Cond" not in plan and index not in partial and (not is_limited or "Filter" in plan)
    if table in big and (kind == "Seq Scan" or (kind in {"Index Scan", "Index Only Scan"} and is_through)):
        yield f"{kind} of {table}"
    limits = kind == "Limit" or (is_limited and kind not in {"Sort", "Aggregate", "Hash"})
    for part in plan.get("Plans", ()):
        yield from _whole_reads(part, big, partial, is_limited=limits)


def read_by(url: str, statement: str, values: Mapping[str, object], table: str) -> tuple[int, int]:
    """Run a statement, functions and triggers in it included; return how often it read a table whole, and the rows it fetched."""
    with psycopg.connect(url) as connection:
        connection.execute(statement.encode(), values)
        ((whole, rows),) = connection.execute(_READ_HERE, {"table": table}).fetchall()
        connection.rollback()
    return int(whole), int(rows)
