"""The operator brings the file of an export back in."""

from pathlib import Path

import pytest

from bot.cli.import_file import EMPTY, ONLY_TRIED
from tests.unit.cli.conftest import Baku
from tests.unit.cli.test_export import said  # noqa: F401 - a fixture
from tests.unit.memory.export.test_archive import GOOD, zipped

EXPORT = ("memory", "export", "--space", "discord:club", "--out", "all.zip")


@pytest.mark.usefixtures("said")
def test_it_prints_what_came_in_and_what_was_there(baku: Baku) -> None:
    baku(*EXPORT)

    tried = baku("memory", "import", "all.zip", "--dry-run", "--db", "other.db")
    done = baku("memory", "import", "all.zip", "--db", "other.db")
    again = baku("memory", "import", "all.zip", "--db", "other.db")

    assert ONLY_TRIED in tried.out
    assert [line.split() for line in done.out.splitlines() if line.startswith("messages")] == [["messages", "2"]]
    assert "import: 2 of 2" in again.out
    assert "baku memory index --all" in done.out
    assert "baku memory index --all" not in again.out


@pytest.mark.usefixtures("said")
def test_what_was_erased_stays_so_and_is_told(baku: Baku) -> None:
    baku(*EXPORT)
    baku("memory", "erase", "--person", "discord:ada", "--yes")

    done = baku("memory", "import", "all.zip")

    assert "1: it was erased, or may repeat what was" in done.out


def test_what_is_no_export_is_refused_and_nothing_is_printed_for_nothing(baku: Baku, folder: Path) -> None:
    zipped(folder / "empty.zip", {"export.json": str(GOOD).replace("'", '"')})

    assert "cannot be read" in baku("memory", "import", "none.zip").err
    assert baku("memory", "import", "empty.zip").out == f"{EMPTY}\n"
