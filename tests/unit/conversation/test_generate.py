import asyncio
from dataclasses import replace

import pytest

from bot.conversation.continuing import GO_ON
from bot.conversation.generate import MAX_ROUNDS, Generation, Generator
from bot.domain.extension import ToolContext
from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, ModelEvent, TextDelta
from bot.domain.tool import ToolCall
from bot.errors import AnswerFiltered, ContextOverflow, ModelRefused, ModelUnavailable
from bot.testing.factories import a_turn
from bot.testing.notebook import Notebook
from bot.testing.scripted_model import ScriptedModel, calling, saying
from bot.tools.memory_tools import MEMORY_TOOLS
from bot.tools.registry import Toolbox

REQUEST = ChatRequest(
    (ChatMessage(Role.SYSTEM, "You are calm."), ChatMessage(Role.USER, "hello")), tools=tuple(tool.spec for tool in MEMORY_TOOLS)
)
NOTE = ToolCall("c1", "UpdatePersonaMemory", '{"id": 0, "newContent": "Likes tea"}')


class Stage:
    """What a generator works with, and the drafts it showed."""

    def __init__(self) -> None:
        self.notebook = Notebook()
        self.drafts: list[str] = []

    async def generate(self, model: ScriptedModel, *, reads_tags: bool = True, patience: float = 60.0) -> Generation:
        toolbox = Toolbox(MEMORY_TOOLS, ToolContext(a_turn(), self.notebook))
        return await Generator(model, toolbox, reads_tags=reads_tags, show=self.show, patience=patience).generate(REQUEST)

    async def show(self, text: str) -> None:
        self.drafts.append(text)


async def test_answer_streams_and_never_shows_a_tag() -> None:
    stage = Stage()

    generation = await stage.generate(ScriptedModel("Noted. <mem_new>Likes tea</mem_new>Anything else?", chunk=1))

    assert generation.text == "Noted. Anything else?"
    assert stage.notebook.remembered == [("Likes tea", None, "")]
    assert stage.drafts[-1] == generation.text
    assert not any("<" in draft or "mem" in draft for draft in stage.drafts)


async def test_tool_result_goes_back_to_the_model_which_then_answers() -> None:
    stage, model = Stage(), ScriptedModel(calling(NOTE), "Tea it is.")

    generation = await stage.generate(model)

    assert generation.text == "Tea it is."
    assert stage.notebook.remembered == [("Likes tea", None, "")]
    assert [message.role for message in model.prompts[1].messages[-2:]] == [Role.ASSISTANT, Role.TOOL]
    assert model.prompts[1].messages[-1].tool_call_id == model.prompts[1].messages[-2].tool_calls[0].id


async def test_text_before_and_after_a_tool_call_is_kept() -> None:
    generation = await Stage().generate(ScriptedModel(calling(NOTE, text="Let me note that."), "Done."))

    assert generation.text == "Let me note that.\n\nDone."


async def test_model_that_only_calls_tools_is_stopped() -> None:
    model = ScriptedModel(*(calling(NOTE) for _ in range(MAX_ROUNDS)))

    generation = await Stage().generate(model)

    assert generation.text == ""
    assert len(model.prompts) == MAX_ROUNDS
    assert model.prompts[-1].tools == ()


async def test_answer_of_nothing_but_tags_gets_one_more_round() -> None:
    stage, model = Stage(), ScriptedModel("<mem_new>Likes tea</mem_new>", "Noted.")

    generation = await stage.generate(model)

    assert generation.text == "Noted."
    assert stage.notebook.remembered == [("Likes tea", None, "")]
    assert len(model.prompts) == 2


async def test_tags_are_plain_text_where_the_persona_has_no_memory() -> None:
    stage = Stage()

    generation = await stage.generate(ScriptedModel("Write <mem_new>x</mem_new>."), reads_tags=False)

    assert generation.text == "Write <mem_new>x</mem_new>."
    assert stage.notebook.remembered == []


async def test_stream_cut_in_the_middle_is_tried_once_more() -> None:
    model = ScriptedModel([TextDelta("Half an ans")], "A whole answer.")

    assert (await Stage().generate(model)).text == "A whole answer."


async def test_what_a_cut_stream_wanted_to_remember_is_void() -> None:
    stage = Stage()

    await stage.generate(ScriptedModel([TextDelta("<mem_new>Likes tea</mem_new>Half")], "Whole."))

    assert stage.notebook.remembered == []


@pytest.mark.parametrize("problem", [ModelUnavailable("out"), ModelRefused("no such key")])
async def test_model_that_does_not_begin_is_not_asked_again(problem: Exception) -> None:
    model = ScriptedModel(problem, "too late")

    with pytest.raises(type(problem)):
        await Stage().generate(model)

    assert len(model.prompts) == 1


CUT = saying("This goes on and o", reason=FinishReason.LENGTH)


async def test_answer_cut_by_its_length_goes_on_where_it_stopped() -> None:
    stage, model = Stage(), ScriptedModel(CUT, "on, and ends.")

    assert (await stage.generate(model)).text == "This goes on and on, and ends."
    assert stage.drafts[-1] == "This goes on and on, and ends."
    assert [message.text for message in model.prompts[1].messages[-2:]] == ["This goes on and", GO_ON]


@pytest.mark.parametrize(
    "more", [ModelUnavailable("out"), saying("", reason=FinishReason.LENGTH), ContextOverflow("too long")], ids=["out", "nothing", "full"]
)
async def test_answer_that_cannot_go_on_ends_with_a_mark(more: Exception | list[ModelEvent]) -> None:
    assert (await Stage().generate(ScriptedModel(CUT, more))).text == "This goes on and o …"


async def test_answer_goes_on_only_once() -> None:
    model = ScriptedModel(CUT, saying("on and o", reason=FinishReason.LENGTH))

    assert (await Stage().generate(model)).text == "This goes on and on and o …"


async def test_answer_of_which_a_filter_left_nothing_is_none() -> None:
    with pytest.raises(AnswerFiltered):
        await Stage().generate(ScriptedModel([Finished(FinishReason.FILTERED)]))


async def test_what_a_filter_left_of_an_answer_ends_with_a_mark() -> None:
    assert (await Stage().generate(ScriptedModel(saying("Half of", reason=FinishReason.FILTERED)))).text == "Half of …"


WRITTEN = '<tool_call>{"name": "UpdatePersonaMemory", "arguments": {"id": 0, "newContent": "Likes tea"}}</tool_call>'


async def test_call_in_the_text_is_a_call_where_there_is_no_other() -> None:
    stage, model = Stage(), ScriptedModel(f"Let me see. {WRITTEN}", "Noted.")

    generation = await stage.generate(model)

    assert generation.text == "Let me see.\n\nNoted."
    assert stage.notebook.remembered == [("Likes tea", None, "")]
    assert model.prompts[1].messages[-1].role is Role.TOOL


async def test_call_in_the_text_counts_not_beside_a_proper_one() -> None:
    stage = Stage()

    await stage.generate(ScriptedModel(calling(NOTE, text=WRITTEN), "Noted."))

    assert len(stage.notebook.remembered) == 1


async def test_call_in_the_text_is_carried_out_where_no_tools_were_offered() -> None:
    stage, model = Stage(), ScriptedModel(WRITTEN, "Noted.")
    toolbox = Toolbox(MEMORY_TOOLS, ToolContext(a_turn(), stage.notebook))

    generation = await Generator(model, toolbox, reads_tags=True, show=stage.show).generate(replace(REQUEST, tools=()))

    assert generation.text == "Noted."
    assert stage.notebook.remembered == [("Likes tea", None, "")]
    assert [message.role for message in model.prompts[1].messages] == [Role.SYSTEM, Role.USER, Role.SYSTEM]


async def test_results_that_do_not_fit_leave_what_was_said() -> None:
    assert (await Stage().generate(ScriptedModel(calling(NOTE, text="Noted."), ContextOverflow("too long")))).text == "Noted."

    with pytest.raises(ContextOverflow):
        await Stage().generate(ScriptedModel(calling(NOTE), ContextOverflow("too long")))


async def test_reasoning_is_neither_shown_nor_kept() -> None:
    stage = Stage()

    generation = await stage.generate(ScriptedModel("<think>She wants <mem_new>x</mem_new></think>Hello.", chunk=3))

    assert generation.text == "Hello."
    assert stage.notebook.remembered == []
    assert not any("wants" in draft for draft in stage.drafts)


async def test_usage_of_all_rounds_is_kept() -> None:
    generation = await Stage().generate(ScriptedModel(calling(NOTE), "Done."))

    assert len(generation.usage) == 2


@pytest.mark.parametrize("arguments", ['"foo"', "[1]", "null", "{", ""])
async def test_call_with_broken_arguments_fails_alone(arguments: str) -> None:
    model = ScriptedModel(calling(ToolCall("c1", "UpdatePersonaMemory", arguments)), "Never mind.")

    generation = await Stage().generate(model)

    assert generation.text == "Never mind."
    assert model.prompts[1].messages[-1].role is Role.TOOL
    assert model.prompts[1].messages[-1].text


async def test_finish_without_any_text_is_silence() -> None:
    assert (await Stage().generate(ScriptedModel([Finished(FinishReason.STOP)]))).text == ""


async def test_model_that_never_ends_is_given_up() -> None:
    stuck = ScriptedModel("lost", waits_for=asyncio.Event())
    stage = Stage()

    with pytest.raises(ModelUnavailable, match="did not end"):
        await stage.generate(stuck, patience=0.01)
