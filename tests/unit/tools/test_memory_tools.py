"""The memory tool, called in every way that models find."""

import pytest

from bot.domain.extension import ToolContext
from bot.domain.tool import JsonValue
from bot.errors import ToolRetry
from bot.testing.factories import a_turn
from bot.tools.memory_tools import update_persona_memory


class Notebook:
    """Memory edits that only note the numbers they were asked for."""

    def __init__(self) -> None:
        self.revised: list[int] = []

    async def remember(self, text: str) -> int:
        return 1

    async def revise(self, number: int, text: str) -> bool:
        self.revised.append(number)
        return True

    async def forget(self, number: int) -> bool:
        return False


@pytest.mark.parametrize("number", ["--5", "9" * 5000, "²", "3.5", "", "x" * 1_000_000, [], {}, None, True, 3.5, float("inf")])
async def test_id_that_is_no_number_is_explained_in_a_line(number: JsonValue) -> None:
    with pytest.raises(ToolRetry, match="id must be a whole number") as caught:
        await update_persona_memory(ToolContext(a_turn(), Notebook()), {"id": number, "newContent": "x"})

    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("number", [3, "3", " 3 ", "+3", "３", "٣", 3.0])
async def test_number_is_understood_however_it_is_written(number: JsonValue) -> None:
    notebook = Notebook()

    await update_persona_memory(ToolContext(a_turn(), notebook), {"id": number, "newContent": "x"})

    assert notebook.revised == [3]
