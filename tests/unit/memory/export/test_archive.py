"""Files that are no export, or no longer one, are refused before anything is changed."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from bot.memory.export import archive
from bot.memory.export.archive import data_in
from bot.memory.export.export import Export
from bot.memory.export.parcel import parcel_of
from bot.memory.export.written import Written
from bot.testing.clock import START

GOOD: dict[str, Any] = {"format": "baku export", "version": 2, "made_at": "2026-01-01T00:00:00+00:00"}


def zipped(path: Path, files: dict[str, str]) -> Path:
    """Write a ZIP."""
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(name, text)
    return path


def test_what_export_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    path.write_bytes(Written(Export("all", START, (), ())).archive())

    assert parcel_of(data_in(path)).made_at == START


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        pytest.param({"export.json": json.dumps({**GOOD, "version": 1})}, "version '1' of the format", id="an older version"),
        pytest.param({"export.json": json.dumps({**GOOD, "format": "x"})}, "no export of Baku", id="another format"),
        pytest.param({"export.json": json.dumps(GOOD), "../evil": ""}, "holds other files", id="a path"),
        pytest.param({"export.md": ""}, "holds other files", id="no data"),
        pytest.param({"export.json": "{"}, "no sound export", id="no JSON"),
        pytest.param({"export.json": "[" * 100_000}, "no sound export", id="too deep"),
        pytest.param({"export.json": "[]"}, "no export of Baku", id="a list"),
    ],
)
def test_other_files_are_refused_with_what_to_do(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        data_in(zipped(tmp_path / "all.zip", files))


def test_no_zip_and_no_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("hello")

    for name in ("text.zip", "none.zip"):
        with pytest.raises(ValueError, match="baku memory export"):
            data_in(tmp_path / name)


def test_a_file_that_unpacks_to_more_than_any_export_is_not_unpacked_further(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as made, made.open("export.json", "w", force_zip64=True) as opened:
        for _ in range((archive.MOST_DATA >> 20) + 1):
            opened.write(b" " * (1 << 20))

    with pytest.raises(ValueError, match="more than 128 MB"):
        data_in(path)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"made_at": "yesterday"}, id="no time"),
        pytest.param({"made_at": "2026-01-01"}, id="no zone"),
        pytest.param({"conversations": {}}, id="no list"),
        pytest.param({"conversations": [{"conversation": "discord", "kind": "group"}]}, id="no conversation"),
        pytest.param({"conversations": [{"conversation": "discord:%61:b:", "kind": "group"}]}, id="a key written in another way"),
        pytest.param({"remembered": [{"audience": "everybody/all"}]}, id="no audience"),
        pytest.param({"remembered": [{"audience": "person/discord:ada:x"}]}, id="too much of an audience"),
        pytest.param({"remembered": [{"audience": "person/discord:ada", "memories": [{"importance": 7}]}]}, id="out of bounds"),
    ],
)
def test_data_that_no_export_writes_is_refused_with_its_place(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is not as an export writes it"):
        parcel_of({**GOOD, **values})
