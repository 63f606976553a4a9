"""What a model on a real HTTP endpoint learns about it."""

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest
from bot.errors import ModelRefused, ToolsUnsupported
from bot.llm.openai_model import OpenAIModel
from bot.testing.model_contract import NOTE, asking, events_of, text_of
from tests.emulators.openai.answers import refusal
from tests.emulators.openai.rules import Rules
from tests.emulators.openai.server import OpenAIEmulator


async def test_model_without_tools_is_found_out_once(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    endpoint.rules.takes_tools = False

    for _ in range(2):
        with pytest.raises(ToolsUnsupported, match="test-model"):
            await events_of(model, asking("Hi", tools=(NOTE,)))

    assert not model.takes_tools
    assert len(endpoint.requests) == 1
    assert text_of(await events_of(model, asking("Hi"))) == "You said: Hi"


@pytest.mark.parametrize(
    ("status", "message"),
    [
        pytest.param(400, "registry.ollama.ai/library/gemma:2b does not support tools", id="ollama"),
        pytest.param(404, "No endpoints found that support tool use. Try disabling it.", id="openrouter"),
        pytest.param(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', id="vllm"),
        pytest.param(500, "tools param requires --jinja flag", id="llama.cpp"),
        pytest.param(400, "Unrecognized request argument supplied: functions", id="old"),
    ],
)
async def test_refusal_of_tools_is_understood(endpoint: OpenAIEmulator, model: OpenAIModel, status: int, message: str) -> None:
    endpoint.script(refusal(status, message))

    with pytest.raises(ToolsUnsupported):
        await events_of(model, asking("Hi", tools=(NOTE,)))


@pytest.mark.parametrize(
    "message",
    [
        "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        "An assistant message with 'tool_calls' must be followed by tool messages.",
        "Invalid schema for function 'UpdatePersonaMemory': 'additionalProperties' is required to be supplied and to be false.",
    ],
)
async def test_complaint_about_one_tool_call_is_no_refusal_of_tools(endpoint: OpenAIEmulator, model: OpenAIModel, message: str) -> None:
    endpoint.script(refusal(400, message))

    with pytest.raises(ModelRefused):
        await events_of(model, asking("Hi", tools=(NOTE,)))

    assert model.takes_tools


async def test_tools_refused_for_one_model_are_offered_to_another(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    endpoint.script(refusal(400, "small does not support tools"))
    small = ChatRequest(asking("Hi").messages, tools=(NOTE,), model="small")

    for _ in range(2):
        with pytest.raises(ToolsUnsupported, match="small"):
            await events_of(model, small)

    assert model.takes_tools
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("rules", "left_out"),
    [
        pytest.param(Rules(takes_stream_options=False), "stream_options", id="usage wish"),
        pytest.param(Rules(takes_temperature=False), "temperature", id="temperature"),
        pytest.param(Rules(max_tokens_name="max_completion_tokens"), "max_tokens", id="name of the length limit"),
    ],
)
async def test_what_an_endpoint_refuses_is_left_out_from_then_on(
    endpoint: OpenAIEmulator, model: OpenAIModel, rules: Rules, left_out: str
) -> None:
    endpoint.rules = rules
    request = ChatRequest(asking("Hi").messages, temperature=0.7, max_reply_tokens=50)

    for _ in range(2):
        assert text_of(await events_of(model, request)) == "You said: Hi"

    assert [left_out in sent.body for sent in endpoint.requests] == [True, False, False]
    assert 50 in endpoint.requests[-1].body.values()


async def test_all_refusals_of_one_endpoint_are_learned_in_one_request(endpoint: OpenAIEmulator, model: OpenAIModel) -> None:
    endpoint.rules = Rules(
        takes_stream_options=False, takes_temperature=False, takes_late_system=False, max_tokens_name="max_completion_tokens"
    )
    messages = (*asking("Hello").messages, ChatMessage(Role.SYSTEM, "<now>Sunday</now>"), ChatMessage(Role.USER, "Hi"))

    await events_of(model, ChatRequest(messages, temperature=0.7))

    assert endpoint.requests[-1].messages[1:] == [{"role": "user", "content": "Hello\n\n<now>Sunday</now>\n\nHi"}]
    assert len(endpoint.requests) == 5
