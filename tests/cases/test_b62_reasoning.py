"""Reasoning that a model writes into its answer."""

import pytest

from tests.cases.model_stage import bot_on
from tests.emulators.openai.answers import Say, Scripted, Stream, frame
from tests.emulators.openai.server import OpenAIEmulator
from tests.scenario.forgetting_stage import found_in

SECRET = "she seems lonely"
WIRE = Stream((frame({"reasoning_content": SECRET}), frame({"content": "Good day."}), frame(finish="stop")))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Say(f"<think>{SECRET}</think>\n\nGood day.", size=1), id="think"),
        pytest.param(Say(f"<thinking>{SECRET}</thinking>Good day."), id="thinking"),
        pytest.param(Say(f"<reasoning>{SECRET}</reasoning> Good day.", size=3), id="reasoning"),
        pytest.param(Say(f"{SECRET}\n</think>\n\nGood day.", size=2), id="opened in the prompt"),
        pytest.param(Say(f"Good day. <think>{SECRET}", size=5), id="never closed"),
        pytest.param(Say(f"[THINK]{SECRET}[/THINK]Good day.", size=3), id="mistral"),
        pytest.param(Say(f"◁think▷{SECRET}◁/think▷Good day.", size=1), id="kimi"),
        pytest.param(Say(f"<seed:think>{SECRET}</seed:think>Good day.", size=2), id="seed"),
        pytest.param(
            Say(f"<|channel|>analysis<|message|>{SECRET}<|end|><|start|>assistant<|channel|>final<|message|>Good day."), id="harmony"
        ),
        pytest.param(WIRE, id="field of the wire"),
    ],
)
async def test_b62_reasoning_is_in_no_reply_no_row_and_no_later_request(answer: Scripted, database_url: str) -> None:
    async with OpenAIEmulator(answer, answer) as endpoint, bot_on(endpoint, database=database_url) as bot:
        await bot.say("Hello")
        await bot.say("Hello again")

        assert bot.replies == ["Good day.", "Good day."]
        assert {"role": "assistant", "content": "Good day."} in endpoint.requests[1].messages
        assert SECRET not in endpoint.requests[1].text
        assert found_in(database_url, "Good day.")
    assert found_in(database_url, SECRET) == []


async def test_b62_tags_inside_reasoning_change_no_memory() -> None:
    answer = Say("<think>I could write <mem_new>Ada is lonely</mem_new></think>Good day.", size=2)
    async with OpenAIEmulator(answer) as endpoint, bot_on(endpoint) as bot:
        await bot.say("Hello")

        assert bot.replies == ["Good day."]
        assert await bot.memories() == []
