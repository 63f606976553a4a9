"""The endpoint we test with refuses what real endpoints refuse."""

import json
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.emulators.openai.answers import Say
from tests.emulators.openai.brain import sensible
from tests.emulators.openai.rules import Rules
from tests.emulators.openai.server import OpenAIEmulator

USER = {"role": "user", "content": "Hi"}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}
CALL = {"id": "a", "type": "function", "function": {"name": "N", "arguments": "{}"}}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "a", "content": "done"}
TOOL = {"type": "function", "function": {"name": "UpdatePersonaMemory", "parameters": {}}}


@pytest.fixture
async def http() -> AsyncIterator[ClientSession]:
    async with ClientSession() as session:
        yield session


async def post(http: ClientSession, endpoint: OpenAIEmulator, key: str = "k", **body: Any) -> tuple[int, Any]:
    full = {"model": "m", "messages": [USER]} | body
    headers = {"Authorization": f"Bearer {key}"}
    async with http.post(f"{endpoint.base_url}/chat/completions", json=full, headers=headers) as response:
        return response.status, await response.json(content_type=None)


@pytest.mark.parametrize(
    ("rules", "body", "status"),
    [
        pytest.param(Rules(), {}, 200, id="in order"),
        pytest.param(Rules(api_key="other"), {}, 401, id="wrong key"),
        pytest.param(Rules(models=("x",)), {}, 404, id="unknown model"),
        pytest.param(Rules(takes_tools=False), {"tools": [TOOL]}, 400, id="tools"),
        pytest.param(Rules(takes_stream_options=False), {"stream_options": {}}, 422, id="stream options"),
        pytest.param(Rules(takes_temperature=False), {"temperature": 1}, 400, id="temperature"),
        pytest.param(Rules(max_tokens_name="max_completion_tokens"), {"max_tokens": 1}, 400, id="old length limit"),
        pytest.param(Rules(), {"max_completion_tokens": 1}, 400, id="new length limit"),
        pytest.param(Rules(takes_late_system=False), {"messages": [USER, {"role": "system", "content": "x"}]}, 400, id="late system"),
        pytest.param(Rules(takes_system=False), {"messages": [{"role": "system", "content": "x"}, USER]}, 400, id="system"),
        pytest.param(Rules(takes_images=False), {"messages": [{"role": "user", "content": [IMAGE]}]}, 404, id="images"),
        pytest.param(Rules(), {"messages": [{"role": "user", "content": [IMAGE]}]}, 200, id="an image"),
        pytest.param(Rules(max_tokens_name=""), {"max_tokens": 1, "max_completion_tokens": 1}, 200, id="either length limit"),
        pytest.param(Rules(most_words=3), {"messages": [{"role": "user", "content": "one two three four"}]}, 400, id="too long"),
        pytest.param(Rules(), {"messages": []}, 400, id="no messages"),
        pytest.param(Rules(), {"messages": [USER, CALLING, RESULT]}, 200, id="call with result"),
        pytest.param(Rules(), {"messages": [USER, CALLING, USER]}, 400, id="call without result"),
        pytest.param(Rules(), {"messages": [USER, CALLING]}, 400, id="call at the end"),
        pytest.param(Rules(), {"messages": [USER, RESULT]}, 400, id="result without call"),
        pytest.param(Rules(), {"messages": [USER, CALLING, RESULT, RESULT]}, 400, id="result twice"),
        pytest.param(Rules(), {"messages": [{"role": "assistant", "content": None}]}, 400, id="nothing said"),
    ],
)
async def test_requests_are_judged(http: ClientSession, rules: Rules, body: dict[str, Any], status: int) -> None:
    async with OpenAIEmulator(Say("Hello."), rules=rules) as endpoint:
        assert (await post(http, endpoint, **body))[0] == status


async def test_scripted_answers_come_first_and_then_the_brain_speaks(http: ClientSession) -> None:
    async with OpenAIEmulator(Say("Hello.")) as endpoint:
        answers = [(await post(http, endpoint))[1]["choices"][0]["message"]["content"] for _ in range(2)]

        await endpoint.wait_for_requests(2)

    assert answers == ["Hello.", "You said: Hi"]
    assert endpoint.requests[0].text == "Hi"


@pytest.mark.parametrize(
    ("messages", "tools", "answer"),
    [
        pytest.param([USER], [], Say("You said: Hi"), id="echo"),
        pytest.param([USER, CALLING, RESULT], [TOOL], Say("Noted."), id="result"),
        pytest.param([{"role": "user", "content": "remember that I like tea"}], [], Say("<mem_new>I like tea</mem_new>Noted."), id="tag"),
        pytest.param(
            [{"role": "system", "content": "<memory id='1'>I like tea</memory>"}, {"role": "user", "content": "What do you know?"}],
            [],
            Say("I know: I like tea"),
            id="memories",
        ),
    ],
)
def test_brain_is_sensible(messages: list[dict[str, Any]], tools: list[Any], answer: Say) -> None:
    assert sensible({"messages": messages, "tools": tools}) == answer


def test_brain_calls_the_memory_tool_where_it_is_offered() -> None:
    answer = sensible({"messages": [{"role": "user", "content": "Please remember: I like tea"}], "tools": [TOOL]})

    assert isinstance(answer, Say)
    assert json.loads(answer.calls[0].arguments) == {"id": 0, "newContent": "I like tea"}


async def test_it_lists_its_models(http: ClientSession) -> None:
    async with OpenAIEmulator(rules=Rules(models=("a", "b"))) as endpoint, http.get(f"{endpoint.base_url}/models") as response:
        assert [each["id"] for each in (await response.json())["data"]] == ["a", "b"]


async def test_it_runs_as_a_process_of_its_own(http: ClientSession) -> None:
    process = await create_subprocess_exec(sys.executable, "-m", "tests.emulators.openai", stdout=PIPE)
    assert process.stdout is not None
    address = json.loads(await process.stdout.readline())["base_url"]

    async with http.post(f"{address}/chat/completions", json={"model": "m", "messages": [USER]}) as response:
        assert (await response.json())["choices"][0]["message"]["content"] == "You said: Hi"

    process.terminate()
    assert await process.wait() == 0
