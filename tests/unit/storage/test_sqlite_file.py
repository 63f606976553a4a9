import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import StoreDamaged, StoreError
from bot.storage.schema import HEAD, Upgrade
from bot.storage.sqlite_file import explained, file_state, make_ready


def test_first_start_makes_one_file_that_others_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "data" / "baku.db"

    assert make_ready(path) == Upgrade(before=None, after=HEAD)

    assert [file.name for file in path.parent.iterdir()] == ["baku.db"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert make_ready(path) is None


def test_several_programs_may_start_at_once(tmp_path: Path) -> None:
    path = tmp_path / "baku.db"

    with ThreadPoolExecutor() as programs:
        list(programs.map(make_ready, [path] * 4))

    assert [file.name for file in tmp_path.iterdir()] == ["baku.db"]
    assert make_ready(path) is None


def test_a_name_with_signs_of_addresses_is_only_a_name(tmp_path: Path) -> None:
    path = tmp_path / "who? 100% #1.db"

    make_ready(path)

    assert make_ready(path) is None
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_path_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(StoreError, match=r"file/baku\.db cannot be opened"):
        make_ready(tmp_path / "file" / "baku.db")


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        make_ready(tmp_path)


def test_looking_at_a_folder_says_that_it_is_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        file_state(tmp_path)


def test_start_waits_for_a_program_that_writes(tmp_path: Path) -> None:
    path = tmp_path / "baku.db"
    make_ready(path)

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO memory_scopes VALUES (1, 'iris', 'person', 'ada', 1, NULL)")

        assert make_ready(path) is None


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        pytest.param(sqlite3.SQLITE_CORRUPT, StoreDamaged, "is damaged", id="damaged"),
        pytest.param(sqlite3.SQLITE_IOERR_CORRUPTFS, StoreError, "does not serve", id="disk"),
        pytest.param(sqlite3.SQLITE_BUSY_SNAPSHOT, StoreError, "kept busy", id="busy"),
        pytest.param(sqlite3.SQLITE_FULL, StoreError, "is full", id="full"),
        pytest.param(sqlite3.SQLITE_READONLY, StoreError, "cannot be written", id="read only"),
    ],
)
def test_errors_say_what_they_mean(code: int, kind: type[StoreError], words: str) -> None:
    problem = sqlite3.OperationalError("it went wrong")
    problem.sqlite_errorcode = code

    error = explained(Path("data/baku.db"), problem)

    assert type(error) is kind
    assert words in str(error)
    assert "data/baku.db" in str(error)
