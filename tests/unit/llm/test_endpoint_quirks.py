"""Families of endpoints are played over a socket and asked twice."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, Image, ModelEvent, ToolCallDelta, Usage
from bot.errors import AnswerFiltered, ContextOverflow, ModelError, ModelTrouble, ModelUnavailable, ToolsUnsupported
from bot.llm.openai_model import OpenAIModel, Patience
from bot.llm.openai_request import NOT_SHOWN
from bot.protocol.native import ToolCallAssembler
from bot.protocol.reasoning import Retraction
from bot.protocol.reply import ReplyReader
from bot.protocol.scanner import VisibleText
from bot.protocol.written_calls import WrittenCall
from bot.testing.model_contract import NOTE, events_of, text_of
from tests.emulators.openai.answers import Plain, Say, Scripted, Stream, frame, refusal
from tests.emulators.openai.server import OpenAIEmulator
from tests.unit.llm.endpoint_families import ROWS, Row

REQUEST = ChatRequest(
    (
        ChatMessage(Role.SYSTEM, "You are Iris."),
        ChatMessage(Role.ASSISTANT, "Good day."),
        ChatMessage(Role.SYSTEM, "It is Sunday."),
        ChatMessage(Role.USER, "Hi", images=(Image("image/png", b"cat"),)),
    ),
    tools=(NOTE,),
    temperature=0.7,
    max_reply_tokens=500,
)


async def asked(model: OpenAIModel, request: ChatRequest) -> list[ModelEvent]:
    """Return what a turn gets: one that is refused tools asks again without."""
    try:
        return await events_of(model, request)
    except ToolsUnsupported:
        return await events_of(model, replace(request, tools=()))


def read(events: list[ModelEvent]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return what people see of an answer, and its calls."""
    reader, assembler, shown, written = ReplyReader(frozenset()), ToolCallAssembler(), "", []
    for event in events:
        if isinstance(event, ToolCallDelta):
            assembler.add(event)
    for part in [*reader.feed(text_of(events)), *reader.close()]:
        if isinstance(part, Retraction):
            shown = ""
        elif isinstance(part, VisibleText):
            shown += part.text
        elif isinstance(part, WrittenCall):
            written.append((part.name, part.arguments))
    return shown.strip(), tuple((call.name, call.arguments) for call in assembler.calls()) or tuple(written)


@pytest.mark.parametrize("family", ROWS)
async def test_every_family_is_understood_and_asked_better_the_next_time(endpoint: OpenAIEmulator, family: str) -> None:
    row = ROWS[family]
    model = OpenAIModel(row.model, base_url=endpoint.base_url, patience=Patience(retries=0))
    endpoint.rules.max_tokens_name = ""
    endpoint.script(*row.answers, Say("Again."))

    first = await asked(model, REQUEST)
    asked_before = len(endpoint.requests)
    second = await asked(model, REQUEST)
    await model.close()

    assert read(first) == (row.text, row.calls)
    assert [event for event in first if isinstance(event, Usage)] == ([Usage(row.model, *row.usage)] if row.usage else [])
    assert isinstance(first[-1], Finished)
    assert asked_before == len(row.answers)
    assert text_of(second) == "Again."
    assert len(endpoint.requests) == asked_before + 1
    check_the_next_request(endpoint.requests[-1].body, row)
    assert model.takes_images is row.sees


def check_the_next_request(body: Mapping[str, Any], row: Row) -> None:
    """See that what was learned is used."""
    assert {name: body.get(name) for name in row.next_body} == row.next_body
    assert " ".join(message["role"] for message in body["messages"]) == row.roles
    sent = json.dumps(body["messages"])
    assert ("data:image/png;base64,Y2F0" in sent) is row.sees
    assert (NOT_SHOWN in sent) is not row.sees
    assert "Hm" not in sent


FAILURES: dict[str, tuple[Scripted, type[ModelError], ModelTrouble]] = {
    "Azure's filter": (
        refusal(400, "The response was filtered due to the prompt triggering our content management policy.", code="content_filter"),
        AnswerFiltered,
        ModelTrouble.REQUEST,
    ),
    "OpenRouter's moderation": (refusal(403, "Your input was flagged by moderation"), AnswerFiltered, ModelTrouble.REQUEST),
    "OpenRouter in the middle": (
        Stream((frame({"content": "Hel"}), json.dumps({"error": {"code": 502, "message": "Provider returned error"}, "choices": []}))),
        ModelUnavailable,
        ModelTrouble.OUT,
    ),
    "DeepSeek under load": (Stream((frame(finish="insufficient_system_resource"),)), ModelUnavailable, ModelTrouble.OUT),
    "Gemini's broken call": (Stream((frame(finish="MALFORMED_FUNCTION_CALL"),)), ModelUnavailable, ModelTrouble.OUT),
    "LM Studio's window": (
        Stream((f"event: error\ndata: {json.dumps({'error': {'message': 'n_keep (150) >= n_ctx (64): Cannot truncate prompt'}})}",)),
        ContextOverflow,
        ModelTrouble.REQUEST,
    ),
    "Groq's window": (refusal(413, "Request too large for model `m`: Limit 6000, Requested 7000"), ContextOverflow, ModelTrouble.REQUEST),
    "busy": (refusal(429, "Slow down", retry_after="7"), ModelUnavailable, ModelTrouble.BUSY),
    "DeepSeek's balance": (refusal(402, "Insufficient Balance"), ModelError, ModelTrouble.CREDIT),
    "OpenAI's quota": (refusal(429, "You exceeded your current quota", code="insufficient_quota"), ModelError, ModelTrouble.CREDIT),
    "gateway in time-out": (Plain("<h1>504</h1>", 504, "text/html"), ModelUnavailable, ModelTrouble.SLOW),
}


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(endpoint: OpenAIEmulator, model: OpenAIModel, case: str) -> None:
    answer, kind, trouble = FAILURES[case]
    endpoint.script(answer)

    with pytest.raises(kind) as caught:
        await events_of(model, replace(REQUEST, messages=(ChatMessage(Role.USER, "Hi"),)))

    assert caught.value.trouble is trouble
    if isinstance(caught.value, ContextOverflow):
        assert caught.value.limit in (64, 6000)
    if trouble is ModelTrouble.BUSY:
        assert isinstance(caught.value, ModelUnavailable)
        assert caught.value.retry_after == 7


async def test_image_that_is_broken_is_left_out_and_the_next_one_is_shown(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    endpoint.script(refusal(400, "Invalid image data"), Say("Hello."), Say("Again."))

    for _ in range(2):
        assert text_of(await events_of(model, REQUEST))

    assert [NOT_SHOWN in json.dumps(request.messages) for request in endpoint.requests] == [False, True, False]
    assert model.takes_images


async def test_answer_that_leaves_the_prompt_no_room_is_made_shorter(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    endpoint.script(refusal(400, "This model's maximum context length is 512 tokens. However, you requested 900 tokens."))

    assert (await events_of(model, REQUEST))[-1] == Finished(FinishReason.STOP)
    assert [request.body["max_tokens"] for request in endpoint.requests] == [500, 128]
