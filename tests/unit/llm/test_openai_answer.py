"""Pieces of an answer, turned into events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.model import Finished, FinishReason, TextDelta, ToolCallDelta, Usage
from bot.errors import ModelUnavailable
from bot.llm.openai_answer import AnswerReader


def piece(text: object = None, *, finish: object = None, **others: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}], **others}


def test_usage_counts_what_came_from_the_cache_and_the_last_one_holds() -> None:
    reader = AnswerReader("m")
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}

    list(reader.read(piece("a", usage={"prompt_tokens": 1, "completion_tokens": 1})))
    list(reader.read(piece(finish="stop")))
    list(reader.read({"choices": [], "usage": usage}))

    assert list(reader.finish()) == [Usage("m", 9, 2, 4), Finished(FinishReason.STOP)]


def test_it_knows_when_nothing_more_can_go_wrong() -> None:
    reader = AnswerReader("m")

    before = reader.finished
    list(reader.read(piece(finish="stop")))

    assert (before, reader.finished) == (False, True)


def test_answer_without_an_end_is_none() -> None:
    with pytest.raises(ModelUnavailable, match="m broke off"):
        list(AnswerReader("m").finish())


def calls(*arguments: str) -> dict[str, object]:
    pieces = [{"index": place, "id": f"c{place}", "function": {"name": "N", "arguments": text}} for place, text in enumerate(arguments)]
    return {"choices": [{"delta": {"tool_calls": pieces}, "finish_reason": None}]}


def test_usage_told_last_is_an_end() -> None:
    reader = AnswerReader("m")

    list(reader.read(piece("Hi")))
    list(reader.read({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}))

    assert list(reader.finish()) == [Usage("m", 9, 2), Finished(FinishReason.STOP)]


def test_complete_calls_are_an_end_and_broken_ones_are_none() -> None:
    whole, broken = AnswerReader("m"), AnswerReader("m")

    list(whole.read(calls("{}", '{"x": 1}')))
    list(broken.read(calls("{}", '{"x"')))

    assert list(whole.finish()) == [Finished(FinishReason.TOOL_CALLS)]
    with pytest.raises(ModelUnavailable):
        list(broken.finish())


def test_message_that_comes_once_more_at_the_end_is_said_once() -> None:
    reader = AnswerReader("m")

    said = [*reader.read(piece("Hi")), *reader.read({"choices": [{"delta": {}, "message": {"content": "Hi"}, "finish_reason": "stop"}]})]

    assert said == [TextDelta("Hi")]


@pytest.mark.parametrize(
    ("reason", "finished"),
    [
        ("SAFETY", FinishReason.FILTERED),
        ("model_length", FinishReason.LENGTH),
        ("tool_calls", FinishReason.STOP),
        ("eos", FinishReason.STOP),
    ],
)
def test_reasons_are_understood_and_calls_that_are_missing_are_no_reason(reason: str, finished: FinishReason) -> None:
    reader = AnswerReader("m")

    list(reader.read(piece("Hi", finish=reason)))

    assert list(reader.finish()) == [Finished(finished)]


@pytest.mark.parametrize("reason", ["error", "insufficient_system_resource", "MALFORMED_FUNCTION_CALL"])
def test_failure_told_as_a_reason_is_one(reason: str) -> None:
    with pytest.raises(ModelUnavailable):
        list(AnswerReader("m").read(piece("Hi", finish=reason)))


def test_whole_body_is_read_like_a_stream() -> None:
    reader = AnswerReader("m")
    call = {"id": "a", "function": {"name": "N", "arguments": "{}"}}

    events = list(reader.read_whole({"choices": [{"message": {"content": "Hi", "tool_calls": [call]}}]}))

    assert events == [TextDelta("Hi"), ToolCallDelta(None, "a", "N", "{}")]
    assert list(reader.finish()) == [Finished(FinishReason.TOOL_CALLS)]


@pytest.mark.parametrize("count", [-1, 10**400, True, "7", None, 1.5])
def test_usage_that_is_no_count_is_none(count: object) -> None:
    reader = AnswerReader("m")

    list(reader.read(piece(finish="stop", usage={"prompt_tokens": count, "completion_tokens": 2})))

    [usage, _] = reader.finish()
    assert usage == Usage("m", 0, 2)


def test_answer_of_any_length_is_cut_where_no_honest_one_would_be() -> None:
    reader = AnswerReader("m", most_tokens=1)

    events = list(reader.read(piece("x" * 10_000_000, finish="stop")))

    assert events == [TextDelta("x" * 16)]
    assert reader.full
    assert list(reader.finish()) == [Finished(FinishReason.LENGTH)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["choices", "delta", "content", "tool_calls", "usage", "index"]), inner)
    ),
    max_leaves=30,
)


@given(st.lists(JSON, max_size=5))
def test_no_piece_whatever_breaks_the_reader(pieces: list[object]) -> None:
    reader = AnswerReader("m")

    events = [event for each in [*pieces, piece(finish="stop")] for event in reader.read(each)] + list(reader.finish())

    assert isinstance(events[-1], Finished)


@given(st.text(alphabet=st.characters(categories=("L", "S", "Cs"))), st.integers(1, 3))
def test_halves_of_characters_find_each_other_across_pieces(text: str, size: int) -> None:
    reader = AnswerReader("m")
    units = text.encode("utf-16-le", "surrogatepass")
    sent = [chr(int.from_bytes(units[i : i + 2], "little")) for i in range(0, len(units), 2)]

    events = [event for i in range(0, len(sent), size) for event in reader.read(piece("".join(sent[i : i + size])))]
    list(reader.read(piece(finish="stop")))
    rest = [event for event in reader.finish() if isinstance(event, TextDelta)]

    shown = "".join(event.text for event in [*events, *rest] if isinstance(event, TextDelta))
    assert shown == units.decode("utf-16-le", "replace")
