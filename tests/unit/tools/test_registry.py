"""Carrying out what models ask for, however they ask."""

import asyncio
from collections.abc import Mapping

import pytest

from bot.domain.extension import Tool, ToolContext
from bot.domain.tool import JsonValue, ToolCall, ToolSpec
from bot.errors import Overtaken, StoreError, ToolFailed
from bot.testing.factories import a_turn
from bot.testing.notebook import Notebook
from bot.tools.registry import MOST_CALLS, RESULT_LIMIT, Toolbox

SPEC = ToolSpec("Echo", "Says something.", {"type": "object", "properties": {}})


def toolbox_with(outcome: BaseException | str) -> Toolbox:
    async def run(context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return Toolbox([Tool(SPEC, run)], ToolContext(a_turn(), Notebook()))


@pytest.mark.parametrize("trouble", [RuntimeError("x"), SystemExit(1), asyncio.CancelledError()])
async def test_tool_that_breaks_does_not_take_the_turn_with_it(trouble: BaseException) -> None:
    result = await toolbox_with(trouble).run(ToolCall("1", "Echo", "{}"))

    assert result == "Echo failed; go on without it."


async def test_turn_that_is_stopped_stops_its_tool() -> None:
    began, task = asyncio.Event(), asyncio.current_task()
    assert task is not None

    async def run(context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
        began.set()
        await asyncio.Event().wait()
        return ""

    toolbox = Toolbox([Tool(SPEC, run)], ToolContext(a_turn(), Notebook()))
    running = asyncio.create_task(toolbox.run(ToolCall("1", "Echo", "{}")))
    await began.wait()
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.parametrize("outcome", ["x" * 1_000_000, ToolFailed("x" * 1_000_000)])
async def test_long_result_is_cut(outcome: BaseException | str) -> None:
    assert len(await toolbox_with(outcome).run(ToolCall("1", "Echo", "{}"))) == RESULT_LIMIT


async def test_name_of_an_unknown_tool_is_cut() -> None:
    result = await toolbox_with("").run(ToolCall("1", "x" * 1_000_000, "{}"))

    assert len(result) < 150
    assert result.endswith("Use one of: Echo.")


async def test_model_in_a_loop_is_stopped() -> None:
    toolbox = toolbox_with("done")

    results = [await toolbox.run(ToolCall(str(number), "Echo", "{}")) for number in range(MOST_CALLS + 1)]

    assert results[:-1] == ["done"] * MOST_CALLS
    assert results[-1].startswith("This was not carried out")


@pytest.mark.parametrize("problem", [Overtaken("x"), StoreError("x")])
async def test_what_was_erased_or_cannot_be_stored_ends_the_turn_and_is_no_trouble_of_a_tool(problem: Exception) -> None:
    with pytest.raises(type(problem)):
        await toolbox_with(problem).run(ToolCall("1", "Echo", "{}"))
