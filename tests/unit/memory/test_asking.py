"""What counts as an answer."""

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, TextDelta, Usage
from bot.errors import ModelUnavailable
from bot.memory.asking import unfenced, whole_answer, without_reasoning
from bot.testing.scripted_model import ScriptedModel

REQUEST = ChatRequest((ChatMessage(Role.USER, "What happened?"),))


async def test_the_answer_comes_whole_and_with_its_cost() -> None:
    answer = await whole_answer(ScriptedModel(" Ada came home. "), REQUEST)

    assert answer.text == "Ada came home."
    assert [type(usage) for usage in answer.usage] == [Usage]


async def test_reasoning_in_the_text_is_no_part_of_the_answer() -> None:
    assert (await whole_answer(ScriptedModel("<think>Who is Ada?</think>Ada came home."), REQUEST)).text == "Ada came home."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('Hm {"b": 2}</think>{"a": 1}', '{"a": 1}'),
        ("<thought>Hm</thought>Yes.", "Yes."),
        ("[THINK]Hm[/THINK]Yes.", "Yes."),
        ("◁think▷Hm◁/think▷Yes.", "Yes."),
        ("<seed:think>Hm</seed:think>Yes.", "Yes."),
        ("<|begin_of_thought|>Hm<|end_of_thought|>\n<|begin_of_solution|>Yes.<|end_of_solution|>", "Yes."),
        ("<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>", "Yes."),
        ("analysisHm.assistantfinalYes.", "Yes."),
        ("<think>Hm, and then", ""),
        ("<|channel|>analysis<|message|>Hm", ""),
        ("An analysis of tea.", "An analysis of tea."),
    ],
)
def test_reasoning_of_every_kind_is_no_part_of_an_answer(text: str, said: str) -> None:
    assert without_reasoning(text) == said


async def test_an_answer_that_was_cut_is_empty() -> None:
    model = ScriptedModel([TextDelta("Ada ca"), Finished(FinishReason.LENGTH)])

    assert (await whole_answer(model, REQUEST)).text == ""


async def test_a_stream_that_breaks_off_raises() -> None:
    with pytest.raises(ModelUnavailable):
        await whole_answer(ScriptedModel([TextDelta("Ada ca")]), REQUEST)


@pytest.mark.parametrize("text", ['{"a": 1}', '```json\n{"a": 1}\n```', '```\n{"a": 1}\n```', ' {"a": 1}\n'])
def test_a_code_block_around_the_whole_text_is_taken_off(text: str) -> None:
    assert unfenced(text) == '{"a": 1}'
