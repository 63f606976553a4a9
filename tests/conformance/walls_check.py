"""The law of walls: what is seen in a room is the same, to the byte, with and without what happened behind a wall."""

import asyncio
from collections.abc import Callable
from itertools import zip_longest

import psycopg
from hypothesis import HealthCheck, Phase, given, seed, settings
from psycopg import sql

from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from tests.conformance.walls_histories import History, histories
from tests.conformance.walls_stage import Seen, seen_of

EmptyStore = Callable[[], SqlStore]


def check_walls(empty: EmptyStore, *, count: int, of: int = 0, after_each: Callable[[], None] = lambda: None) -> None:
    """Play that many random histories, always the same ones for one seed. Fails with the shortest one in which a wall leaks."""

    @seed(of)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )
    @given(histories())
    def holds(history: History) -> None:
        problem = asyncio.run(_difference(history, empty))
        after_each()
        assert not problem, problem

    holds()


def in_memory() -> SqlStore:
    """Return a store that is gone when it is closed."""
    return SqlStore(DATABASES.fresh())


def emptied(url: str) -> EmptyStore:
    """Return what empties a PostgreSQL database that has our tables, and gives a store on it. Ids that were given out stay so."""

    def empty() -> SqlStore:
        with psycopg.connect(url, autocommit=True) as connection:
            known = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'")
            tables = sql.SQL(", ").join(sql.Identifier(name) for (name,) in known.fetchall())
            connection.execute(sql.SQL("TRUNCATE {}").format(tables))
        return SqlStore(url)

    return empty


async def _difference(history: History, empty: EmptyStore) -> str:
    whole = await seen_of(history, empty(), without_hidden=False)
    without = await seen_of(history, empty(), without_hidden=True)
    return compared(whole, without)


def compared(whole: Seen, without: Seen) -> str:
    """Return the first thing that differs; empty when nothing does."""
    for one, other in zip_longest(whole.lines, without.lines, fillvalue="(nothing)"):
        if one != other:
            return f"with:\n{one}\n\nwithout:\n{other}"
    if missing := without.at_night - whole.at_night:
        return f"at night without:\n{next(iter(missing))}\n\nwith:\n" + "\n---\n".join(whole.at_night - without.at_night)
    return ""
