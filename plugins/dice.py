"""Dice: people roll them with `/roll 2d6`, personas with the tool `roll_dice`. A whole plugin, to start your own from."""

import re
from collections.abc import Mapping, Sequence
from secrets import randbelow

from bot.plugin import Answer, Command, CommandCall, JsonValue, Option, Tool, ToolContext, ToolRetry, ToolSpec, hookimpl

MOST_DICE = 100
MOST_SIDES = 1000
_DICE = re.compile(r"(\d{0,3})d(\d{1,4})([+-]\d{1,4})?", re.IGNORECASE)
_HOW = f"write dice as 2d6, d20 or 3d8+2, at most {MOST_DICE} dice of {MOST_SIDES} sides"


def roll(dice: str) -> str:
    """Return what the dice show: `3 + 5 + 2 = 10`. Raises ValueError, which says how to write dice."""
    match = _DICE.fullmatch("".join(dice.split()))
    count, sides, bonus = (int(match[1] or 1), int(match[2]), int(match[3] or 0)) if match else (0, 0, 0)
    if not (1 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES):
        raise ValueError(f"That cannot be rolled; {_HOW}.")
    numbers = [randbelow(sides) + 1 for _ in range(count)]
    shown = " + ".join(map(str, numbers)) + (f" {bonus:+d}".replace("+", "+ ").replace("-", "- ") if bonus else "")
    return shown if count == 1 and not bonus else f"{shown} = {sum(numbers) + bonus}"


async def roll_for_somebody(call: CommandCall) -> Answer:
    """Answer `/roll`."""
    dice = str(call.options.get("dice", "d6"))
    try:
        return Answer(f"🎲 {roll(dice)}")
    except ValueError as problem:
        return Answer(str(problem), private=True)


async def roll_for_the_model(_context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
    """Answer the model's call. A ToolRetry lets it try again with better arguments."""
    try:
        return roll(str(arguments.get("dice", "")))
    except ValueError as problem:
        raise ToolRetry(str(problem)) from None


@hookimpl
def register_commands() -> Sequence[Command]:
    """Return the command, which every platform offers."""
    dice = Option("dice", "Such as 2d6 or d20+3; one die of six sides when left out", required=False)
    return [Command(("roll",), "Roll dice", roll_for_somebody, (dice,))]


@hookimpl
def register_tools() -> Sequence[Tool]:
    """Return the tool, which a persona may use that names it under `tools`."""
    spec = ToolSpec(
        name="roll_dice",
        description="Rolls dice and returns the numbers they show.",
        parameters={
            "type": "object",
            "properties": {"dice": {"type": "string", "description": "The dice, such as 2d6 or d20+3."}},
            "required": ["dice"],
        },
    )
    return [Tool(spec, roll_for_the_model)]
