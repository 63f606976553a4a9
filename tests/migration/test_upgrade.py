"""Databases of older, newer and other programs."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.domain.message import MessageState
from bot.errors import SchemaMismatch
from bot.storage.migrate import schema_state, upgrade
from bot.storage.schema import HEAD, SchemaState, Upgrade
from bot.storage.store import SqlStore
from bot.testing.factories import DIRECT, incoming
from tests.migration.databases import connected, migrate_to, stamp, support_only

OLD = "0001"


async def say(url: str, text: str) -> list[str]:
    """Open the store, record a message, and return all that waits."""
    store = SqlStore(url)
    await store.open()
    async with store.write() as tx:
        await tx.messages.record(incoming(text, message_id=text), MessageState.WAITING)
        said = [message.text for message in await tx.messages.waiting(DIRECT)]
    await store.close()
    return said


def copies_of(path: Path) -> list[str]:
    """Return the names of all that lies beside a file."""
    return sorted(other.name for other in path.parent.iterdir() if other != path)


async def refused(url: str, reason: str) -> None:
    """Check that a store cannot be opened, and why."""
    store = SqlStore(url)
    with pytest.raises(SchemaMismatch, match=reason):
        await store.open()


@pytest.fixture
def old_file(sqlite_url: str) -> Path:
    """Return an SQLite file of the first revision, with a message in it."""
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    migrate_to(sqlite_url, OLD)
    with connected(sqlite_url) as connection:
        connection.execute(
            text(
                "INSERT INTO messages (conversation, kind, role, author_id, author_name, author_is_bot, author_is_service, text, sent_at,"
                " state, addressed_to_bot, attempts, persona_id) VALUES (:here, 'direct', 'user', 'ada', 'Ada', 0, 0, 'old words',"
                " '2026-05-03 10:00:00.000000+00:00', 'waiting', 1, 0, '')"
            ),
            {"here": str(DIRECT)},
        )
    return path


async def test_an_older_file_is_upgraded_when_it_is_opened(sqlite_url: str, old_file: Path) -> None:
    assert schema_state(sqlite_url) is SchemaState.OLDER

    assert await say(sqlite_url, "new words") == ["old words", "new words"]

    assert schema_state(sqlite_url) is SchemaState.CURRENT
    assert await say(sqlite_url, "more") == ["old words", "new words", "more"]


def test_the_file_as_it_was_is_kept_beside_it(sqlite_url: str, old_file: Path) -> None:
    done = upgrade(sqlite_url)

    assert done == Upgrade(before=OLD, after=HEAD, copy=old_file.with_name("baku.db.0001.bak"))
    with closing(sqlite3.connect(old_file.with_name("baku.db.0001.bak"))) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(OLD,)]
        assert copy.execute("SELECT text FROM messages").fetchall() == [("old words",)]
    assert copies_of(old_file) == ["baku.db.0001.bak"]


def test_a_copy_that_is_there_is_not_overwritten(sqlite_url: str, old_file: Path) -> None:
    old_file.with_name("baku.db.0001.bak").write_bytes(b"precious")

    done = upgrade(sqlite_url)

    assert done is not None
    assert done.copy == old_file.with_name("baku.db.0001-2.bak")
    assert old_file.with_name("baku.db.0001.bak").read_bytes() == b"precious"


async def test_two_programs_may_open_an_older_file_at_once(sqlite_url: str, old_file: Path) -> None:
    async with asyncio.TaskGroup() as tasks:
        saying = [tasks.create_task(say(sqlite_url, word)) for word in ("one", "two")]

    assert max((sorted(task.result()) for task in saying), key=len) == ["old words", "one", "two"]
    assert copies_of(old_file) == ["baku.db.0001.bak"]


def test_a_newer_file_is_refused_and_left_as_it_is(sqlite_url: str, old_file: Path) -> None:
    upgrade(sqlite_url)
    stamp(sqlite_url, "9999")
    support_only(sqlite_url, "9998")
    before = old_file.read_bytes()

    asyncio.run(refused(sqlite_url, "newer Baku"))
    with pytest.raises(SchemaMismatch, match="newer Baku"):
        upgrade(sqlite_url)

    assert old_file.read_bytes() == before
    assert schema_state(sqlite_url) is SchemaState.NEWER


def test_the_file_of_another_program_is_refused_and_left_as_it_is(sqlite_url: str) -> None:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()

    asyncio.run(refused(sqlite_url, "another program"))

    assert path.read_bytes() == before
    assert copies_of(path) == []


async def test_a_file_without_tables_gets_them(sqlite_url: str) -> None:
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection:
        connection.execute("PRAGMA user_version = 1")
    assert schema_state(sqlite_url) is SchemaState.EMPTY

    assert await say(sqlite_url, "hi") == ["hi"]


async def test_a_server_without_our_tables_asks_for_migrate(empty_postgres_url: str) -> None:
    assert schema_state(empty_postgres_url) is SchemaState.EMPTY

    await refused(empty_postgres_url, 'Run "baku migrate"')

    assert schema_state(empty_postgres_url) is SchemaState.EMPTY


async def test_an_older_server_asks_for_migrate_and_is_upgraded_by_it(empty_postgres_url: str) -> None:
    migrate_to(empty_postgres_url, OLD)

    await refused(empty_postgres_url, 'Run "baku migrate"')
    assert upgrade(empty_postgres_url) == Upgrade(before=OLD, after=HEAD)

    assert upgrade(empty_postgres_url) is None
    assert await say(empty_postgres_url, "hi") == ["hi"]


async def test_a_newer_server_is_refused(empty_postgres_url: str) -> None:
    upgrade(empty_postgres_url)
    stamp(empty_postgres_url, "9999")
    support_only(empty_postgres_url, "9998")

    await refused(empty_postgres_url, "newer Baku")
    with pytest.raises(SchemaMismatch, match="newer Baku"):
        upgrade(empty_postgres_url)


@pytest.mark.parametrize("address", ["sqlite_url", "empty_postgres_url"])
async def test_a_database_that_a_later_program_upgraded_serves_as_long_as_that_program_says(
    address: str, request: pytest.FixtureRequest
) -> None:
    url = str(request.getfixturevalue(address))
    upgrade(url)
    stamp(url, "9999")

    assert schema_state(url) is SchemaState.AHEAD
    assert upgrade(url) is None
    assert await say(url, "hi") == ["hi"]

    support_only(url, "9998")
    assert schema_state(url) is SchemaState.NEWER


async def test_tables_of_others_on_the_server_do_not_matter(empty_postgres_url: str) -> None:
    with connected(empty_postgres_url) as connection:
        connection.execute(text("CREATE TABLE bookmarks (id INTEGER)"))

    assert upgrade(empty_postgres_url) == Upgrade(before=None, after=HEAD)


async def test_two_upgrades_at_once_are_one(empty_postgres_url: str) -> None:
    async with asyncio.TaskGroup() as tasks:
        upgrades = [tasks.create_task(asyncio.to_thread(upgrade, empty_postgres_url)) for _ in range(2)]

    assert sorted(str(task.result()) for task in upgrades) == ["None", str(Upgrade(before=None, after=HEAD))]
