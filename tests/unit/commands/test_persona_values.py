"""Every value of a persona has a meaning, says what is allowed, and goes back to what is usual."""

from dataclasses import replace

import pytest

from bot.commands.persona_values import TEXTS, VALUES, text_in, value_in, with_text, with_value
from bot.testing.factories import a_persona

IRIS = a_persona()


@pytest.mark.parametrize("name", [name for name in VALUES if name != "name"])
def test_reset_gives_each_value_back_as_it_usually_is(name: str) -> None:
    assert with_value(IRIS, name, "reset") == IRIS


@pytest.mark.parametrize("name", list(TEXTS))
def test_each_text_is_read_as_it_is_written_in_a_form(name: str) -> None:
    changed = with_text(IRIS, name, "one\n---\ntwo" if name == "greetings" else "one")

    assert with_text(IRIS, name, text_in(changed, name)) == changed != IRIS


def test_a_preset_changes_the_numbers_and_keeps_the_switches() -> None:
    silent = with_value(replace(IRIS), "dream", "no")

    seeded = with_value(silent, "preset", "seed")

    assert (value_in(seeded, "decay_per_day"), value_in(seeded, "dream")) == ("0.05", "false")
    assert value_in(with_value(seeded, "decay_per_day", "reset"), "decay_per_day") == "0.05"
