"""Strength and age as people see them."""

from datetime import timedelta

import pytest

from bot.commands.memory_texts import age, bar
from bot.testing.clock import START


@pytest.mark.parametrize(
    ("importance", "shown"),
    [(0.0, "▱▱▱▱▱"), (0.02, "▱▱▱▱▱"), (0.25, "▰▱▱▱▱"), (0.5, "▰▰▰▱▱"), (0.6, "▰▰▰▱▱"), (0.75, "▰▰▰▰▱"), (1.0, "▰▰▰▰▰")],
)
def test_an_importance_is_a_bar_of_five(importance: float, shown: str) -> None:
    assert bar(importance) == shown


@pytest.mark.parametrize(
    ("days", "shown"),
    [
        (-3, "new"),
        (0.9, "new"),
        (1, "1 day old"),
        (6.9, "6 days old"),
        (7, "1 week old"),
        (29, "4 weeks old"),
        (30, "1 month old"),
        (364, "12 months old"),
        (365, "1 year old"),
        (800, "2 years old"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(days: float, shown: str) -> None:
    assert age(START, START + timedelta(days=days)) == shown
