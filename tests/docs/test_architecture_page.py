"""docs/architecture.md shows the folders and layers that there are."""

import re
import tomllib

from tests.docs.pages import ROOT, Page

PAGE = Page("docs/architecture.md")
TOP_LEVEL = {"benchmarks", "bot", "docs", "migrations", "personas", "plugins", "scripts", "tests"}


def test_the_tree_shows_exactly_the_folders_and_modules_of_the_package() -> None:
    (tree,) = (block for block in PAGE.blocks("text") if block.startswith("bot/\n"))

    shown = {name for line in tree.splitlines()[1:] for name in re.findall(r"^  (\S+)|^  \S+ +(\w+\.py)", line) for name in name if name}

    assert shown == {_name(path) for path in (ROOT / "bot").iterdir() if path.suffix == ".py" or path.is_dir()} - {
        "__init__.py",
        "__pycache__/",
    }


def test_the_tree_shows_exactly_the_folders_at_the_top() -> None:
    (tree,) = (block for block in PAGE.blocks("text") if re.search(r"^bot/ +\S", block, re.MULTILINE))

    shown = set(re.findall(r"^(\w+)/ ", tree, re.MULTILINE))

    assert shown == {name for name in TOP_LEVEL if (ROOT / name).is_dir()}


def test_the_layers_are_those_that_are_enforced() -> None:
    (contract, *_) = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (drawn,) = (block for block in PAGE.blocks("text") if block.startswith("__main__"))

    enforced = [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]

    assert [set(re.findall(r"\w+", line.split("#")[0])) for line in drawn.splitlines()] == enforced


def _name(path: object) -> str:
    name = str(path).rpartition("/")[2]
    return name if name.endswith(".py") else f"{name}/"
