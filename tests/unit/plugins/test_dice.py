import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.command import CommandCall
from bot.domain.extension import ToolContext
from bot.errors import ToolRetry
from bot.plugin.manager import PluginManager
from bot.testing.factories import ADA, GROUP, a_turn, kind_of
from bot.testing.notebook import Notebook
from plugins.dice import MOST_DICE, MOST_SIDES, roll

CALL = CommandCall(("roll",), {}, ADA, GROUP, kind_of(GROUP))


def shipped() -> PluginManager:
    manager = PluginManager()
    manager.load_folder(Path(__file__).parents[3] / "plugins")
    return manager


@given(st.integers(1, MOST_DICE), st.integers(1, MOST_SIDES), st.integers(-9999, 9999))
def test_every_die_shows_a_side_and_the_sum_is_right(count: int, sides: int, bonus: int) -> None:
    shown, _, total = roll(f"{count}d{sides}{bonus:+d}").replace("- ", "+ -").partition(" = ")
    numbers = [int(number) for number in shown.split(" + ")]

    dice = numbers[:count]
    assert all(1 <= number <= sides for number in dice)
    assert sum(dice) + bonus == int(total or shown)


@pytest.mark.parametrize(
    ("dice", "shown"), [("d1", "1"), ("3d1", "1 + 1 + 1 = 3"), ("D1+2", "1 + 2 = 3"), (" 2 d 1 - 5 ", "1 + 1 - 5 = -3")]
)
def test_dice_may_be_written_in_several_ways(dice: str, shown: str) -> None:
    assert roll(dice) == shown


@pytest.mark.parametrize("dice", ["", "7", "2x6", "0d6", "d0", "101d6", "d1001", "9999d9999", "2d6+", "-1d6", "1d6;2d6"])
def test_what_is_no_dice_says_how_to_write_them(dice: str) -> None:
    with pytest.raises(ValueError, match="write dice as 2d6, d20 or 3d8\\+2, at most 100 dice of 1000 sides"):
        roll(dice)


async def test_people_roll_by_command() -> None:
    (command,) = shipped().commands

    answer = await command.run(CommandCall(("roll",), {"dice": "2d1"}, ADA, GROUP, kind_of(GROUP)))
    by_default = await command.run(CALL)
    refused = await command.run(CommandCall(("roll",), {"dice": "two"}, ADA, GROUP, kind_of(GROUP)))

    assert answer.text == "🎲 1 + 1 = 2"
    assert re.fullmatch("🎲 [1-6]", by_default.text)
    assert refused.private


async def test_the_model_rolls_by_tool_and_is_told_how_when_it_errs() -> None:
    (tool,) = shipped().tools
    notebook = Notebook()
    tool_context = ToolContext(a_turn(), notebook)

    assert tool.spec.name == "roll_dice"
    assert await tool.run(tool_context, {"dice": "3d1"}) == "1 + 1 + 1 = 3"
    with pytest.raises(ToolRetry, match="write dice as"):
        await tool.run(tool_context, {"dice": 7})
    assert notebook.untouched
