"""JSON of any shape."""

import pytest

from bot.domain.model import ToolCallDelta
from bot.llm.wire import call_pieces, is_complete, number_in, text_in


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param("Hi", "Hi", id="text"),
        pytest.param([{"type": "text", "text": "H"}, {"text": "i"}, "!"], "Hi!", id="parts"),
        pytest.param(
            [{"type": "thinking", "thinking": [{"type": "text", "text": "no"}]}, {"type": "text", "text": "Hi"}], "Hi", id="mistral"
        ),
        pytest.param([{"type": "reasoning", "text": "no"}, {"type": "output_text", "text": "Hi"}], "Hi", id="reasoning part"),
        pytest.param([{"type": "refusal", "refusal": "I won't."}], "I won't.", id="refusal part"),
        pytest.param({"type": "text", "text": "Hi"}, "Hi", id="one part"),
        pytest.param([None, 7, [], {"type": "image_url"}], "", id="nothing to read"),
    ],
)
def test_only_words_are_text(content: object, text: str) -> None:
    assert text_in(content) == text


@pytest.mark.parametrize(
    ("delta", "pieces"),
    [
        pytest.param(
            {"tool_calls": [{"index": "1", "id": "a", "function": {"name": "N"}}]}, [ToolCallDelta(1, "a", "N", "")], id="index in words"
        ),
        pytest.param(
            {"tool_calls": [{"function": {"name": "N", "arguments": {"x": "ü"}}}]},
            [ToolCallDelta(None, "", "N", '{"x": "ü"}')],
            id="object",
        ),
        pytest.param({"tool_calls": [{"function": {"name": "N", "arguments": None}}]}, [ToolCallDelta(None, "", "N", "")], id="null"),
        pytest.param(
            {"tool_calls": {"id": "a", "name": "N", "arguments": "{}"}}, [ToolCallDelta(None, "a", "N", "{}")], id="flat and alone"
        ),
        pytest.param({"function_call": {"name": "N", "arguments": "{}"}}, [ToolCallDelta(0, "", "N", "{}")], id="old"),
        pytest.param({"tool_calls": [None, 7]}, [ToolCallDelta(None, "", "", "")] * 2, id="no objects"),
        pytest.param({"tool_calls": None, "function_call": None}, [], id="none"),
    ],
)
def test_calls_are_read_in_every_shape(delta: dict[str, object], pieces: list[ToolCallDelta]) -> None:
    assert list(call_pieces(delta)) == pieces


def test_numbers_and_json_are_told_from_what_is_none() -> None:
    assert [number_in(value) for value in (3, -1, True, "3", None)] == [3, 0, 0, 0, 0]
    assert [is_complete(text) for text in ("{}", '{"x"', "", "[" * 100_000)] == [True, False, False, False]
