"""docs/personas.md lists every key that a persona file may have, with its usual value, and each of its examples loads."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from bot.commands.policy_texts import written
from bot.storage.persona_files import check_personas, load_personas, read_persona
from bot.storage.persona_format import ExampleEntry, FrontMatter, MemoryEntry, ModelEntry
from bot.storage.persona_lore import LorebookEntry, LoreItem
from tests.docs.pages import Page

PAGE = Page("docs/personas.md")
GROUPS: dict[str, type[BaseModel]] = {
    "All settings": FrontMatter,
    "examples": ExampleEntry,
    "model": ModelEntry,
    "memory": MemoryEntry,
    "lorebook": LorebookEntry,
    "lore": LoreItem,
}
LISTS = ("examples", "lore")
NEEDED = {
    "All settings": {"name": "Iris", "greeting": "Hello."},
    "examples": {"user": "Hi", "reply": "Hello."},
    "lore": {"content": "A gate."},
}


@dataclass(frozen=True)
class Row:
    """A row of the page's tables."""

    group: str
    key: str
    usual: str
    example: str


def rows() -> list[Row]:
    found = []
    for part in re.split(r"(?m)^#+ ", PAGE.text):
        group, _, text = part.partition("\n")
        cells = [[cell.strip() for cell in line.split(" | ")] for line in text.splitlines() if line.startswith("| `")]
        found += [Row(group, key.strip("| `"), usual, example.strip(" |")) for key, _, usual, example, *_ in cells]
    return found


ROWS = rows()
EXAMPLES = [row for row in ROWS if row.key != "card"]


@pytest.mark.parametrize("group", GROUPS)
def test_the_table_has_each_key_of_its_group_and_no_other(group: str) -> None:
    assert [row.key for row in ROWS if row.group == group] == list(GROUPS[group].model_fields)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.group}.{row.key}")
def test_the_usual_value_is_the_one_that_the_loader_takes(row: Row) -> None:
    field = GROUPS[row.group].model_fields[row.key]

    assert (row.usual == "required") == field.is_required()
    if isinstance(field.default, bool | int | float | str) and field.default != "":
        assert row.usual == written(field.default)


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: f"{row.group}.{row.key}")
def test_an_example_loads(row: Row) -> None:
    example = yaml.safe_load(row.example.strip("`"))
    values = {**NEEDED.get(row.group, {}), **example}
    front = values if row.group == "All settings" else {**NEEDED["All settings"], row.group: [values] if row.group in LISTS else values}

    assert list(example) == [row.key]
    assert read_persona("iris", f"---\n{yaml.safe_dump(front)}---\nYou are calm.").greeting


def test_the_full_example_loads_as_it_stands(tmp_path: Path) -> None:
    (example,) = PAGE.blocks("markdown")
    (tmp_path / "iris.md").write_text(example, encoding="utf-8")

    iris = load_personas(tmp_path, "iris").get("iris")

    assert check_personas(tmp_path) == []
    assert (iris.name, iris.memory.decay_per_day, iris.model.temperature) == ("Iris", 0.01, 0.6)
    assert len(iris.examples) == len(iris.lore.entries) == 1
