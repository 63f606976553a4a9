"""C15: the store's file is damaged."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.errors import StoreDamaged
from bot.storage.migrate import schema_state, upgrade
from bot.storage.store import SqlStore
from tests.conformance.store_writers import create

PAGE = 4096
ROOT = Path(__file__).parents[2]
Damage = Callable[[Path], object]


def overwrite(path: Path, offset: int, junk: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(junk)


def keep_only_the_log(path: Path) -> None:
    path.rename(path.with_name("baku.db-wal"))


DAMAGES = [
    pytest.param(lambda path: path.write_bytes(b"Dear diary, " * 999), id="no database"),
    pytest.param(lambda path: path.write_bytes(b""), id="empty"),
    pytest.param(lambda path: os.truncate(path, 1), id="one byte"),
    pytest.param(lambda path: os.truncate(path, 64), id="cut in the header"),
    pytest.param(lambda path: os.truncate(path, PAGE * 3), id="cut in half"),
    pytest.param(lambda path: os.truncate(path, path.stat().st_size - 100), id="cut in the last page"),
    pytest.param(lambda path: overwrite(path, 0, bytes(100)), id="header lost"),
    pytest.param(lambda path: overwrite(path, PAGE * 3, b"\xff" * PAGE), id="page lost"),
    pytest.param(lambda path: overwrite(path, 100, b"\xff" * 64), id="table of tables lost"),
    pytest.param(keep_only_the_log, id="file gone, log there"),
]


@pytest.fixture
def path(sqlite_url: str) -> Path:
    """Return the file of a store with some memories, closed."""
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    asyncio.run(fill(path))
    return path


async def fill(path: Path) -> None:
    store = SqlStore(f"sqlite:///{path}")
    await store.open()
    for number in range(20):
        await create(store, f"Ada's fact number{number}")
    await store.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("damage", DAMAGES)
def test_c15_damaged_file_is_reported_and_left_as_it_is(path: Path, damage: Damage) -> None:
    damage(path)
    before, url = contents(path.parent), f"sqlite:///{path}"

    with pytest.raises(StoreDamaged) as raised:
        asyncio.run(SqlStore(url).open())
    with pytest.raises(StoreDamaged):
        upgrade(url)

    assert contents(path.parent) == before
    assert str(path) in str(raised.value)
    assert "move" in str(raised.value).lower()


def test_c15_damaged_file_with_unsaved_log_keeps_both(path: Path) -> None:
    log = path.with_name("baku.db-wal")
    killed = "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('DELETE FROM journal'); c.commit(); os._exit(9)"
    subprocess.run([sys.executable, "-c", killed, str(path)], check=False, timeout=60)
    overwrite(path, PAGE * 3, b"\xff" * PAGE)
    before = (path.read_bytes(), log.read_bytes())

    with pytest.raises(StoreDamaged):
        schema_state(f"sqlite:///{path}")
    with pytest.raises(StoreDamaged):
        asyncio.run(SqlStore(f"sqlite:///{path}").open())

    assert (path.read_bytes(), log.read_bytes()) == before


def test_c15_program_says_what_to_do_and_ends(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 999)
    before = contents(path.parent)

    command = [sys.executable, "-m", "bot", "chat", "--db", str(path)]
    ended = subprocess.run(command, input="hello\n", capture_output=True, text=True, cwd=ROOT, timeout=100, check=False)

    assert ended.returncode != 0
    assert f"{path} is damaged" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
    assert contents(path.parent) == before
