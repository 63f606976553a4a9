"""A bot is moved from its file to a server, whole or not at all."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bot.domain.message import MessageState
from bot.errors import ConfigError, SchemaMismatch, StoreError
from bot.storage.migrate import schema_state, upgrade
from bot.storage.schema import SchemaState
from bot.storage.store import SqlStore
from bot.storage.transfer.ledger import MOVED_TABLES
from bot.storage.transfer.transfer import Outcome, ends, move
from bot.testing.factories import incoming
from tests.migration.databases import stamp
from tests.unit.storage.transfer.rows import fill_all

Moving = Callable[..., Outcome]


class Killed(Exception):
    """Stands for the end of the process in the middle of a move."""


@pytest.fixture
def source(sqlite_url: str) -> str:
    """Return the address of a file that holds something in every table."""
    upgrade(sqlite_url)
    fill_all(sqlite_url)
    return sqlite_url


@pytest.fixture
def moving(source: str, move_goal: str) -> Moving:
    """Moves the one to the other; it is killed once so many rows are there."""

    def run(*, anew: bool = False, killed_at: int | None = None) -> Outcome:
        def watch(done: int, _: int) -> None:
            if killed_at is not None and done >= killed_at:
                raise Killed

        path, url = ends(source, move_goal)
        return move(path, url, anew=anew, moving=watch, comparing=lambda done, total: None)

    return run


def change(url: str, statement: str) -> None:
    """Change something in a file."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute(statement)


def on_server(url: str, statement: str) -> list[tuple[object, ...]]:
    """Run a statement on a server and return its rows, if it gives any."""
    with psycopg.connect(url) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def test_all_tables_are_moved_and_the_file_is_as_it_was(source: str, moving: Moving) -> None:
    path = Path(source.removeprefix("sqlite:///"))
    before = path.read_bytes(), sorted(path.parent.iterdir())

    outcome = moving()

    assert [each for each in outcome.compared if not each.is_equal] == []
    assert {each.table: (each.source.rows, each.target.rows, each.is_equal) for each in outcome.compared} == {
        table.name: (6, 6, True) for table in MOVED_TABLES
    }
    assert outcome.is_finished
    assert (path.read_bytes(), sorted(path.parent.iterdir())) == before


async def test_a_bot_goes_on_where_it_was_moved_to(move_goal: str, moving: Moving) -> None:
    moving()

    store = SqlStore(move_goal)
    await store.open()
    async with store.write() as tx:
        stored = await tx.messages.record(incoming("hello"), MessageState.WAITING)
    await store.close()
    assert stored is not None
    assert stored.id == 7


def test_an_id_that_was_given_to_a_row_that_is_gone_is_never_given_again(source: str, move_goal: str, moving: Moving) -> None:
    change(source, "DELETE FROM outbox WHERE id > 2")

    assert moving().is_finished

    assert on_server(move_goal, "SELECT nextval('outbox_id_seq')") == [(7,)]


@pytest.mark.parametrize("killed_at", [0, 60, len(MOVED_TABLES) * 6])
def test_a_move_that_was_cut_short_goes_on_and_the_server_is_of_no_use_before(
    source: str, move_goal: str, moving: Moving, killed_at: int
) -> None:
    with pytest.raises(Killed):
        moving(killed_at=killed_at)
    assert schema_state(move_goal) is SchemaState.HALF_MOVED
    with pytest.raises(SchemaMismatch, match="not all is there yet"):
        upgrade(move_goal)

    outcome = moving()

    assert outcome.is_finished
    assert sum(each.target.rows for each in outcome.compared) == len(MOVED_TABLES) * 6
    assert schema_state(move_goal) is SchemaState.CURRENT
    again = moving()
    assert again.is_finished
    assert again.finished_before
    with pytest.raises(StoreError, match="it is not emptied"):
        moving(anew=True)


async def test_a_half_moved_server_is_not_opened(move_goal: str, moving: Moving) -> None:
    with pytest.raises(Killed):
        moving(killed_at=60)

    with pytest.raises(SchemaMismatch, match='"baku migrate --from'):
        await SqlStore(move_goal).open()


def test_rows_that_are_not_as_they_were_are_found_and_the_move_begins_again(move_goal: str, moving: Moving) -> None:
    tampering = {
        "memories": "UPDATE memories SET importance = importance + 1e-16 WHERE id = 4",
        "messages": "UPDATE messages SET text = text || ' ' WHERE id = 2",
        "journal": "UPDATE journal SET at = at + interval '1 microsecond' WHERE id = 2",
        "avatars": r"UPDATE avatars SET content = content || '\x00'",
        "opt_outs": "DELETE FROM opt_outs WHERE platform LIKE '2%'",
        "usage_days": "UPDATE usage_days SET prompt_tokens = reply_tokens, reply_tokens = prompt_tokens - 1",
    }
    with pytest.raises(Killed):
        moving(killed_at=len(MOVED_TABLES) * 6)
    on_server(move_goal, ";".join(tampering.values()))

    outcome = moving()

    assert {each.table for each in outcome.compared if not each.is_equal} == set(tampering)
    assert (outcome.is_finished, outcome.was_written) == (False, False)
    assert schema_state(move_goal) is SchemaState.HALF_MOVED
    assert moving(anew=True).is_finished


def test_what_is_written_to_the_file_meanwhile_keeps_the_move_from_its_end(source: str, move_goal: str) -> None:
    path, url = ends(source, move_goal)

    def write(_: int, __: int) -> None:
        change(source, "UPDATE messages SET text = 'else' WHERE id = 3")

    outcome = move(path, url, anew=False, moving=lambda done, total: None, comparing=write)

    assert not outcome.is_finished
    assert outcome.was_written


def test_a_file_that_changed_between_two_tries_is_moved_on_only_where_it_is_as_it_was(source: str, moving: Moving) -> None:
    with pytest.raises(Killed):
        moving(killed_at=len(MOVED_TABLES) * 6 - 6)
    change(source, f"DELETE FROM {MOVED_TABLES[-1].name}")

    with pytest.raises(Killed):
        moving(killed_at=0)
    change(source, "UPDATE messages SET text = 'else' WHERE id = 3")
    with pytest.raises(StoreError, match=r"has changed: messages is another.*--anew"):
        moving()

    assert moving(anew=True).is_finished


def test_a_server_that_holds_anything_else_is_left_alone(move_goal: str, moving: Moving) -> None:
    on_server(move_goal, "INSERT INTO bindings VALUES ('discord', '1', '2', '', 'iris')")

    with pytest.raises(StoreError, match="is not empty: there is something in bindings"):
        moving()

    assert on_server(move_goal, "SELECT count(*) FROM bindings") == [(1,)]
    assert schema_state(move_goal) is SchemaState.CURRENT


def test_a_move_of_another_file_is_not_gone_on_with(move_goal: str, moving: Moving, source: str, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        moving(killed_at=6)
    other = tmp_path / "other.db"
    other.write_bytes(Path(source.removeprefix("sqlite:///")).read_bytes())

    path, url = ends(f"sqlite:///{other}", move_goal)
    with pytest.raises(StoreError, match=r"is being filled from .*baku\.db"):
        move(path, url, anew=False, moving=print, comparing=print)


def test_a_row_that_the_server_does_not_take_is_named_without_what_is_in_it(source: str, moving: Moving) -> None:
    change(source, "UPDATE messages SET author_id = 'secret' || char(0) WHERE id = 3")

    with pytest.raises(StoreError, match=r"does not take the row \[3\] of messages") as raised:
        moving()

    assert "secret" not in str(raised.value)


def test_an_older_file_is_to_be_upgraded_first(source: str, moving: Moving) -> None:
    stamp(source, "0001")

    with pytest.raises(SchemaMismatch, match=r'"baku migrate --db .*baku\.db" first'):
        moving()


def test_a_server_without_tables_gets_them(source: str, empty_postgres_url: str) -> None:
    path, url = ends(source, empty_postgres_url)

    assert move(path, url, anew=False, moving=lambda done, total: None, comparing=lambda done, total: None).is_finished


@pytest.mark.parametrize(
    ("source", "move_goal", "said"),
    [
        pytest.param("postgresql://ada:sesame@h/a", "postgresql://ada:sesame@h/b", "use pg_dump and pg_restore", id="between servers"),
        pytest.param("sqlite:///a.db", "sqlite:///b.db", "to PostgreSQL alone", id="to a file"),
        pytest.param("sqlite://", "postgresql://ada:sesame@h/b", "names no file", id="from memory"),
    ],
)
def test_other_moves_are_refused(source: str, move_goal: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as raised:
        ends(source, move_goal)

    assert "sesame" not in str(raised.value)


def test_a_file_that_is_not_there_is_not_made(sqlite_url: str, move_goal: str) -> None:
    path, url = ends(sqlite_url, move_goal)

    with pytest.raises(StoreError, match="There is no database"):
        move(path, url, anew=False, moving=print, comparing=print)

    assert not path.exists()
