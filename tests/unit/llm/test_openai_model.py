"""The model behind a real HTTP endpoint, with the quirks of real endpoints."""

import json
from collections.abc import AsyncIterator, Sequence

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, ToolCallDelta, Usage
from bot.domain.tool import ToolCall
from bot.errors import ContextOverflow, ModelError, ModelRefused, ModelUnavailable
from bot.llm.openai_model import OpenAIModel, Patience
from bot.protocol.native import ToolCallAssembler
from bot.testing.model_contract import NOTE, asking, collect, events_of, text_of
from tests.emulators.openai.answers import (
    Call,
    Ending,
    Plain,
    Say,
    Scripted,
    Silence,
    Stream,
    frame,
    frames_of,
    refusal,
    tool_piece,
    usage_frame,
)
from tests.emulators.openai.server import OpenAIEmulator
from tests.unit.llm.conftest import KEY

QUICK = Patience(connect=2.0, first_piece=0.3, between_pieces=0.3, retries=0)
HELLO = frames_of(Say("Hello."), with_usage=False)
STOPS = frame(finish="stop")


@pytest.fixture
async def hasty(endpoint: OpenAIEmulator) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("test-model", base_url=endpoint.base_url, api_key=KEY, patience=QUICK)
    yield model
    await model.close()


def calls_of(events: Sequence[ModelEvent]) -> tuple[ToolCall, ...]:
    assembler = ToolCallAssembler()
    for event in events:
        if isinstance(event, ToolCallDelta):
            assembler.add(event)
    return assembler.calls()


async def test_answer_comes_in_pieces_with_usage_and_reason(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    endpoint.script(Say("Good day, Ada. 🐱 猫", size=3))

    events = await events_of(model, asking("Hi"))

    assert text_of(events) == "Good day, Ada. 🐱 猫"
    assert len([event for event in events if isinstance(event, TextDelta)]) > 3
    assert events[-2:] == [Usage("test-model", 11, 5), Finished(FinishReason.STOP)]


async def test_request_says_all_that_the_model_needs(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    call = ToolCall("a", "UpdatePersonaMemory", "{}")
    messages = (
        ChatMessage(Role.SYSTEM, "You are Iris."),
        ChatMessage(Role.USER, "I like tea"),
        ChatMessage(Role.ASSISTANT, "", tool_calls=(call,)),
        ChatMessage(Role.TOOL, "Memory updated.", tool_call_id="a"),
    )

    await events_of(model, ChatRequest(messages, tools=(NOTE,), model="other", temperature=0.5, max_reply_tokens=99))

    [request] = endpoint.requests
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "other",
        "messages": [
            {"role": "system", "content": "You are Iris."},
            {"role": "user", "content": "I like tea"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "a", "type": "function", "function": {"name": "UpdatePersonaMemory", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "a", "content": "Memory updated."},
        ],
        "tools": [
            {"type": "function", "function": {"name": NOTE.name, "description": NOTE.description, "parameters": dict(NOTE.parameters)}}
        ],
        "temperature": 0.5,
        "max_tokens": 99,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_b51_call_without_a_result_is_sent_with_one(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    cancelled = ChatMessage(Role.ASSISTANT, "", tool_calls=(ToolCall("a", "UpdatePersonaMemory", "{}"),))
    orphan = ChatMessage(Role.TOOL, "done", tool_call_id="b")

    events = await events_of(
        model, ChatRequest((ChatMessage(Role.USER, "Hi"), cancelled, ChatMessage(Role.USER, "Are you there?"), orphan))
    )

    assert text_of(events) == "You said: Are you there?"
    assert [message["role"] for message in endpoint.requests[0].messages] == ["user", "assistant", "tool", "user"]


async def test_endpoint_without_a_key_is_asked_with_a_placeholder(endpoint: OpenAIEmulator) -> None:
    model = OpenAIModel("test-model", base_url=endpoint.base_url)

    assert text_of(await events_of(model, asking("Hi"))) == "You said: Hi"
    await model.close()


@pytest.mark.parametrize(
    ("answer", "text", "last"),
    [
        pytest.param(Stream((*HELLO, usage_frame({"prompt_tokens": 7, "completion_tokens": 2}))), "Hello.", "usage", id="b55 usage only"),
        pytest.param(Stream((frame(choices=[]), *HELLO)), "Hello.", "stop", id="b55 empty choices first"),
        pytest.param(Stream((frame(choices=None), *HELLO)), "Hello.", "stop", id="no choices at all"),
        pytest.param(Stream((frame(usage=None), *HELLO[:-1], frame(finish="stop", usage={}))), "Hello.", "stop", id="empty usage"),
        pytest.param(Stream((frame({"content": None}), *HELLO)), "Hello.", "stop", id="null content"),
        pytest.param(Stream((frame({"content": [{"type": "text", "text": "Hello."}]}), STOPS)), "Hello.", "stop", id="content in parts"),
        pytest.param(
            Stream((frame({"reasoning_content": "Hm"}), frame({"reasoning": "Hm"}), *HELLO)), "Hello.", "stop", id="reasoning fields"
        ),
        pytest.param(Stream((frame({"content": None, "refusal": "I won't."}), STOPS)), "I won't.", "stop", id="refusal in words"),
        pytest.param(Stream((": keep-alive", *HELLO, ": bye")), "Hello.", "stop", id="comments"),
        pytest.param(Stream((frame({"content": "\ud83d"}), frame({"content": "\udc31"}), STOPS)), "🐱", "stop", id="emoji in two halves"),
        pytest.param(Stream((frame({"content": "a\ud83d"}), frame({"content": "b"}), STOPS)), "a\ufffdb", "stop", id="half an emoji"),
        pytest.param(Stream((frame({"content": "a\ud83d"}), STOPS)), "a\ufffd", "stop", id="half an emoji at the end"),
        pytest.param(Stream((frame({"content": "Hello."}, finish="eos"),)), "Hello.", "stop", id="unknown reason"),
        pytest.param(Stream((frame({"content": "Hello."}, finish="length"),)), "Hello.", "length", id="too long"),
        pytest.param(Stream((frame(finish="content_filter"),)), "", "content_filter", id="filtered"),
        pytest.param(Stream((*HELLO, "{broken"), Ending.CLOSED), "Hello.", "stop", id="broken piece after the end"),
        pytest.param(Stream(HELLO, Ending.DROPPED), "Hello.", "stop", id="connection lost after the end"),
        pytest.param(Stream(HELLO, Ending.CLOSED), "Hello.", "stop", id="no [DONE]"),
        pytest.param(Stream(HELLO, Ending.OPEN_AFTER_DONE), "Hello.", "stop", id="left open after [DONE]"),
        pytest.param(Stream(("null", "[]", '"x"', "7", *HELLO)), "Hello.", "stop", id="pieces that are no objects"),
        pytest.param(Plain(Say("Hello.").body()), "Hello.", "usage", id="json body in place of a stream"),
        pytest.param(Plain({"choices": [{"message": {"content": "Hello."}}]}), "Hello.", "stop", id="json body without a reason"),
        pytest.param(Stream((frame(choices=[{"index": 1, "delta": {"content": "No"}}]), *HELLO)), "Hello.", "stop", id="second choice"),
    ],
)
async def test_quirks_of_an_answer_do_not_show(
    endpoint: OpenAIEmulator, model: OpenAIModel, answer: Scripted, text: str, last: str
) -> None:
    endpoint.script(answer)

    events = await events_of(model, asking("Hi"))

    assert text_of(events) == text
    assert any(isinstance(event, Usage) for event in events) is (last == "usage")
    assert events[-1] == Finished(FinishReason.STOP if last == "usage" else FinishReason(last))


def pieces(*deltas: dict[str, object], finish: str = "tool_calls") -> Stream:
    return Stream((*(frame(delta) for delta in deltas), frame(finish=finish)))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Say(calls=(Call("A", '{"x": 1}', "a"), Call("B", "{}", "b"))), id="usual"),
        pytest.param(Plain(Say(calls=(Call("A", '{"x": 1}', "a"), Call("B", "{}", "b"))).body()), id="json body"),
        pytest.param(
            pieces(tool_piece(0, id="a", name="A", arguments='{"x": 1}'), tool_piece(0, id="b", name="B", arguments="{}")),
            id="index reused",
        ),
        pytest.param(
            pieces(
                tool_piece(None, id="a", name="A", arguments='{"x"'), tool_piece(None, arguments=": 1}"), tool_piece(None, id="b", name="B")
            ),
            id="no index",
        ),
        pytest.param(
            pieces(tool_piece(0, id="a", name="A", arguments='{"x": 1}'), tool_piece(1, id="b", name="B"), finish="stop"),
            id="ends with stop",
        ),
        pytest.param(
            pieces(
                {"tool_calls": None},
                tool_piece(0, id="a", name="A", arguments='{"x": 1}'),
                tool_piece(1, id="b", name="B"),
                finish="tool_use",
            ),
            id="null calls, other reason",
        ),
    ],
)
async def test_tool_calls_arrive_whole(endpoint: OpenAIEmulator, model: OpenAIModel, answer: Scripted) -> None:
    endpoint.script(answer)

    events = await events_of(model, asking("Hi", tools=(NOTE,)))

    assert calls_of(events) == (ToolCall("a", "A", '{"x": 1}'), ToolCall("b", "B", "{}"))
    assert events[-1] == Finished(FinishReason.TOOL_CALLS)


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        pytest.param(Stream(HELLO[:-1]), ModelUnavailable, "broke off", id="no finish reason"),
        pytest.param(Stream(HELLO[:-1], Ending.CLOSED), ModelUnavailable, "broke off", id="truncated"),
        pytest.param(Stream(HELLO[:-1], Ending.DROPPED), ModelUnavailable, "hung up", id="connection lost"),
        pytest.param(Stream((*HELLO[:-1], '{"choices": [')), ModelUnavailable, "no JSON", id="broken piece"),
        pytest.param(Stream((*HELLO[:-1], frame(finish="error"))), ModelUnavailable, "failed in the middle", id="failure as a reason"),
        pytest.param(
            Stream((*HELLO[:-1], json.dumps({"error": {"message": "Provider overloaded"}}))),
            ModelUnavailable,
            "Provider overloaded",
            id="error piece",
        ),
        pytest.param(Stream(()), ModelUnavailable, "broke off", id="empty stream"),
        pytest.param(Plain({"error": {"message": "GPU on fire"}}), ModelUnavailable, "GPU on fire", id="error in a 200"),
        pytest.param(Plain({"error": "GPU on fire"}), ModelUnavailable, "GPU on fire", id="error text in a 200"),
        pytest.param(Plain({"choices": []}), ModelUnavailable, "without content", id="json body without a choice"),
        pytest.param(Plain("{broken"), ModelUnavailable, "no JSON", id="broken json body"),
        pytest.param(Stream(("[" * 200_000,)), ModelUnavailable, "no JSON", id="piece nested without end"),
        pytest.param(Plain("[" * 200_000), ModelUnavailable, "no JSON", id="body nested without end"),
        pytest.param(Plain("<html>Welcome</html>", content_type="text/html"), ModelRefused, "usually ends in /v1", id="web page"),
        pytest.param(refusal(401, f"Incorrect API key provided: {KEY}."), ModelRefused, "OPENAI_API_KEY", id="401"),
        pytest.param(refusal(402, "Insufficient credits"), ModelRefused, "no credit left", id="402"),
        pytest.param(refusal(403, f"Key {KEY} has no access"), ModelRefused, "may not use the model test-model", id="403"),
        pytest.param(refusal(404, "The model `test-model` does not exist"), ModelRefused, "no model test-model", id="404 model"),
        pytest.param(Plain("404 page not found", 404, "text/plain"), ModelRefused, "usually ends in /v1", id="404 address"),
        pytest.param(refusal(429, "Slow down", retry_after="1"), ModelUnavailable, "limits how often", id="429"),
        pytest.param(refusal(429, "Check your plan", code="insufficient_quota"), ModelRefused, "quota", id="429 quota"),
        pytest.param(refusal(400, "maximum context length is 8192 tokens"), ContextOverflow, "maximum context length", id="400 too long"),
        pytest.param(refusal(400, "messages: at least one is needed"), ModelRefused, "refuses the request", id="400"),
        pytest.param(refusal(500, "Internal error"), ModelUnavailable, "status 500", id="500"),
        pytest.param(Plain("<h1>Bad Gateway</h1>", 502, "text/html"), ModelUnavailable, "status 502", id="html 502"),
        pytest.param(refusal(408, "Timeout"), ModelUnavailable, "status 408", id="408"),
    ],
)
async def test_what_goes_wrong_is_told_to_the_operator(
    endpoint: OpenAIEmulator, model: OpenAIModel, answer: Scripted, kind: type[ModelError], says: str
) -> None:
    endpoint.script(answer)

    with pytest.raises(kind) as caught:
        await events_of(model, asking("Hi"))

    assert says in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


async def test_pieces_before_a_cut_are_passed_on(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    endpoint.script(Stream(HELLO[:-1], Ending.DROPPED))
    events: list[ModelEvent] = []

    with pytest.raises(ModelUnavailable):
        await collect(model, asking("Hi"), events)

    assert text_of(events) == "Hello."


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Silence(), id="no answer"),
        pytest.param(Stream((), Ending.HUNG), id="no first piece"),
        pytest.param(Stream(HELLO[:-1], Ending.HUNG), id="no next piece"),
    ],
)
async def test_endpoint_that_falls_silent_is_left(endpoint: OpenAIEmulator, hasty: OpenAIModel, answer: Scripted) -> None:
    endpoint.script(answer)

    with pytest.raises(ModelUnavailable, match=r"for 0\.3 s"):
        await events_of(hasty, asking("Hi"))


async def test_answer_without_end_is_left(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    endpoint.script(Stream((frame({"content": "spam " * 200}),) * 200, Ending.HUNG))

    events = await events_of(model, ChatRequest((ChatMessage(Role.USER, "Hi"),), max_reply_tokens=64))

    assert len(text_of(events)) == 64 * 16
    assert events[-1] == Finished(FinishReason.LENGTH)


async def test_answer_that_drips_for_too_long_ends_with_what_came(endpoint: OpenAIEmulator) -> None:
    model = OpenAIModel("test-model", base_url=endpoint.base_url, patience=Patience(whole=0.0))
    endpoint.script(Stream((frame({"content": "a"}), frame({"content": "b"})), Ending.HUNG))

    events = await events_of(model, asking("Hi"))

    assert (text_of(events), events[-1]) == ("a", Finished(FinishReason.LENGTH))
    await model.close()


async def test_endpoint_that_is_not_there_is_named() -> None:
    async with OpenAIEmulator() as gone:
        address = gone.base_url
    model = OpenAIModel("test-model", base_url=address, patience=QUICK)

    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:\d+ cannot be reached"):
        await events_of(model, asking("Hi"))
    await model.close()


@pytest.mark.parametrize("answer", [refusal(429, "Slow down", retry_after="0.01"), Plain("<h1>502</h1>", 502, "text/html")])
async def test_first_piece_is_tried_for_again(endpoint: OpenAIEmulator, answer: Scripted) -> None:
    model = OpenAIModel("test-model", base_url=endpoint.base_url, patience=Patience(retries=1))
    endpoint.script(answer)

    assert text_of(await events_of(model, asking("Hi"))) == "You said: Hi"
    assert len(endpoint.requests) == 2
    await model.close()


async def test_key_and_prompt_are_in_no_error_even_when_the_endpoint_repeats_them(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    detail = [{"loc": ["body", "messages"], "msg": f"bad {KEY}", "input": "my secret", "ctx": {"x": "my secret"}}]
    endpoint.script(Plain({"detail": detail}, 422), refusal(400, "[{'type': 'x', 'input': 'my secret'}]"))

    for _ in range(2):
        with pytest.raises(ModelRefused) as caught:
            await events_of(model, asking("my secret"))

        assert "my secret" not in str(caught.value)
        assert KEY not in str(caught.value)
        assert KEY not in repr(caught.value)
