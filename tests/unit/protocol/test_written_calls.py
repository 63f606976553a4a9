"""Calls in a model's text."""

import pytest
from hypothesis import given, settings

from bot.protocol.reply import ReplyReader
from bot.protocol.scanner import VisibleText
from bot.protocol.written_calls import WrittenCall
from tests.unit.protocol.cuts import PLACES, TEXTS, cut

CALL = WrittenCall("Note", '{"x": 1}')
JSON = '{"name": "Note", "arguments": {"x": 1}}'
XML = "<function=Note>\n<parameter=x>\n1\n</parameter>\n</function>"


def read(*chunks: str) -> tuple[str, list[WrittenCall]]:
    """Return what is visible, and the calls."""
    reader = ReplyReader(frozenset())
    parts = [part for chunk in chunks for part in reader.feed(chunk)] + reader.close()
    shown = "".join(part.text for part in parts if isinstance(part, VisibleText))
    return shown.strip(), [part for part in parts if isinstance(part, WrittenCall)]


@pytest.mark.parametrize(
    ("text", "shown", "calls"),
    [
        pytest.param(f"<tool_call>\n{JSON}\n</tool_call>", "", [CALL], id="hermes"),
        pytest.param(f"Wait. <tool_call>{JSON}</tool_call>\n<tool_call>{JSON}</tool_call>", "Wait.", [CALL, CALL], id="two"),
        pytest.param(f"<tool_call>{JSON}", "", [CALL], id="not closed"),
        pytest.param('<tool_call>{"name": "Note", "parameters": {"x": 1}}</tool_call>', "", [CALL], id="parameters"),
        pytest.param('<tool_call>{"name": "Note", "arguments": "{\\"x\\": 1}"}</tool_call>', "", [CALL], id="arguments as text"),
        pytest.param('<tool_call>{"name": "Note", "arguments": {"x": }}</tool_call>', "", [WrittenCall("Note", '{"x": }}')], id="broken"),
        pytest.param("<tool_call>{oh</tool_call>", "", [WrittenCall("", "{oh")], id="no name"),
        pytest.param(f"<tool_call>{XML}</tool_call>", "", [CALL], id="qwen coder"),
        pytest.param(f"{XML}Done.", "Done.", [CALL], id="function alone"),
        pytest.param('<function=Note>{"x": 1}</function>', "", [CALL], id="llama"),
        pytest.param(f"[TOOL_CALLS][{JSON}]", "", [CALL], id="mistral"),
        pytest.param('[TOOL_CALLS]Note[ARGS]{"x": 1}[TOOL_CALLS]Note{"x": 1}', "", [CALL, CALL], id="mistral's newer ways"),
        pytest.param('[TOOL_CALLS]Note[CALL_ID]a1[ARGS]{"x": 1} Done.', "Done.", [CALL], id="mistral with an id"),
        pytest.param('<|channel|>commentary to=functions.Note<|message|>{"x": 1}<|call|>', "", [CALL], id="harmony"),
        pytest.param(f"<think><tool_call>{JSON}</tool_call></think>Hi", "Hi", [], id="in reasoning"),
        pytest.param(f"`<tool_call>{JSON}</tool_call>`", f"`<tool_call>{JSON}</tool_call>`", [], id="in code"),
        pytest.param("The <tool_call> tag, [TOOL_CALLS] and [x].", "The <tool_call> tag, [TOOL_CALLS] and [x].", [], id="spoken of"),
        pytest.param("Hi <tool_c", "Hi", [], id="cut mark"),
    ],
)
def test_calls_are_taken_out_of_the_text(text: str, shown: str, calls: list[WrittenCall]) -> None:
    assert read(text) == (shown, calls)


@settings(max_examples=1000, deadline=None)
@given(TEXTS, PLACES)
def test_cutting_anywhere_changes_no_call(text: str, places: list[int]) -> None:
    assert read(*cut(text, places)) == read(text)
