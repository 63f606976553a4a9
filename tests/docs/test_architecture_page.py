"""docs/architecture.md shows the folders and layers that there are."""

import re
import tomllib

import pytest

from tests.docs.pages import ROOT, Page

TOP, PACKAGE, LAYERS, TESTS = Page("docs/architecture.md").blocks("text")


@pytest.mark.parametrize(
    ("drawing", "folder"),
    [pytest.param(PACKAGE.removeprefix("bot/\n"), "bot", id="package"), pytest.param(TESTS, "tests", id="tests")],
)
def test_the_drawing_shows_what_is_in_the_folder(drawing: str, folder: str) -> None:
    there = {path.name + "/" * path.is_dir() for path in (ROOT / folder).iterdir()} - {"__pycache__/", "__init__.py", "conftest.py"}

    assert _first_words(drawing) == there


def test_the_drawing_shows_the_folders_at_the_top() -> None:
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    folders = {f"{path.name}/" for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}

    assert _first_words(TOP) == {name for name in folders if name not in ignored and f"/{name}" not in ignored and "egg-info" not in name}


def test_the_layers_are_those_that_are_enforced() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]

    drawn = [set(re.findall(r"\w+", line.partition("#")[0])) for line in LAYERS.splitlines()]

    assert drawn == [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]


def _first_words(drawing: str) -> set[str]:
    return {line.split()[0] for line in drawing.splitlines()}
