""".env.example shows every setting, as it is."""

import re

from pydantic.fields import FieldInfo

from bot.config.settings import Settings
from tests.docs.pages import ROOT

EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
ENTRY = re.compile(r"((?:^# .+\n)+)^(?:#)?([A-Z_]+)=(.*)$", re.MULTILINE)
SETTINGS = {str(field.validation_alias): field for field in Settings.model_fields.values() if field.validation_alias}


def test_the_example_holds_every_setting_once() -> None:
    names = [name for _, name, _ in ENTRY.findall(EXAMPLE)]

    assert names == list(SETTINGS)


def test_the_comment_of_a_setting_is_its_description() -> None:
    comments = {name: " ".join(line.removeprefix("# ") for line in comment.splitlines()) for comment, name, _ in ENTRY.findall(EXAMPLE)}

    assert comments == {name: field.description for name, field in SETTINGS.items()}


def test_a_copied_example_changes_nothing() -> None:
    active = re.findall(r"^([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE)

    assert [name for name, value in active if value] == []


def test_what_an_entry_shows_is_the_default_or_else_an_example() -> None:
    shown = {name: value for _, name, value in ENTRY.findall(EXAMPLE) if value}

    assert {name: value for name, value in shown.items() if value not in _valid_values(SETTINGS[name])} == {}


def _valid_values(field: FieldInfo) -> list[str]:
    return [str(field.default)] if field.default not in (None, "", ()) else [str(example) for example in field.examples or []]
