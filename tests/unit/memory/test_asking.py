"""What counts as an answer."""

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, TextDelta, Usage
from bot.errors import ModelUnavailable
from bot.memory.asking import unfenced, whole_answer
from bot.testing.scripted_model import ScriptedModel

REQUEST = ChatRequest((ChatMessage(Role.USER, "What happened?"),))


async def test_the_answer_comes_whole_and_with_its_cost() -> None:
    answer = await whole_answer(ScriptedModel(" Ada came home. "), REQUEST)

    assert answer.text == "Ada came home."
    assert [type(usage) for usage in answer.usage] == [Usage]


async def test_reasoning_in_the_text_is_no_part_of_the_answer() -> None:
    assert (await whole_answer(ScriptedModel("<think>Who is Ada?</think>Ada came home."), REQUEST)).text == "Ada came home."


async def test_an_answer_that_was_cut_is_empty() -> None:
    model = ScriptedModel([TextDelta("Ada ca"), Finished(FinishReason.LENGTH)])

    assert (await whole_answer(model, REQUEST)).text == ""


async def test_a_stream_that_breaks_off_raises() -> None:
    with pytest.raises(ModelUnavailable):
        await whole_answer(ScriptedModel([TextDelta("Ada ca")]), REQUEST)


@pytest.mark.parametrize("text", ['{"a": 1}', '```json\n{"a": 1}\n```', '```\n{"a": 1}\n```', ' {"a": 1}\n'])
def test_a_code_block_around_the_whole_text_is_taken_off(text: str) -> None:
    assert unfenced(text) == '{"a": 1}'
