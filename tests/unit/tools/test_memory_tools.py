"""The memory tool, called in every way that models find."""

import pytest

from bot.domain.extension import ToolContext
from bot.domain.tool import JsonValue
from bot.errors import ToolRetry
from bot.testing.factories import a_turn
from bot.testing.notebook import Notebook
from bot.tools.memory_tools import load_memory, tag_memory, update_persona_memory
from bot.tools.texts import memory_texts


@pytest.mark.parametrize(
    "number", ["--5", "9" * 5000, "²", "3.5", "", "%", "7c8855b", "x" * 1_000_000, [], {}, None, True, 3.5, 10**40, float("inf")]
)
async def test_id_that_names_no_memory_is_explained_in_a_line(number: JsonValue) -> None:
    with pytest.raises(ToolRetry, match="id must be the id of a memory") as caught:
        await update_persona_memory(ToolContext(a_turn(), Notebook()), {"id": number, "newContent": "x"})

    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("number", [3, "3", " 3 ", "+3", "３", "٣", 3.0])
async def test_number_is_understood_however_it_is_written(number: JsonValue) -> None:
    notebook = Notebook(m3="Likes tea")

    await update_persona_memory(ToolContext(a_turn(), notebook), {"id": number, "newContent": "x"})

    assert notebook.revised == [("3", "x")]


@pytest.mark.parametrize("handle", ["7c8855bf", "[7c8855bf]", "7C8855BF"])
async def test_handle_is_understood_too(handle: str) -> None:
    notebook = Notebook(m7c8855bf="Likes tea")

    await update_persona_memory(ToolContext(a_turn(), notebook), {"id": handle, "newContent": "x"})

    assert notebook.revised == [("7c8855bf", "x")]


@pytest.mark.parametrize(
    ("importance", "kept"), [(0.9, 0.9), ("0.9", 0.9), (1, 1.0), ("much", None), (True, None), (None, None), ([], None)]
)
async def test_importance_that_is_no_number_is_left_to_the_policy(importance: JsonValue, kept: float | None) -> None:
    notebook = Notebook()

    await update_persona_memory(ToolContext(a_turn(), notebook), {"id": 0, "newContent": "x", "importance": importance, "group": "family"})

    assert notebook.remembered == [("x", kept, "family")]


async def test_tagging_and_loading_say_whether_there_was_such_a_memory() -> None:
    context = ToolContext(a_turn(), Notebook(m3="Likes tea"))

    texts = memory_texts("en")
    assert [await tag_memory(context, {"id": number}) for number in (3, 4)] == [texts.tagged, texts.unknown]
    assert [await load_memory(context, {"id": number}) for number in (3, 4)] == ["Loaded: Likes tea", texts.unknown]
