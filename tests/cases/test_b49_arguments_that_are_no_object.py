"""Tool calls whose arguments are valid JSON and yet no object."""

import pytest

from tests.cases.model_stage import bot_on
from tests.emulators.openai.answers import Call, Say
from tests.emulators.openai.server import OpenAIEmulator

NOTE = "UpdatePersonaMemory"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [('"foo"', "not a string"), ("[1]", "not a list"), ("null", "not null"), ('{"id": 0,', "no valid JSON"), ("7", "not a number")],
)
async def test_b49_call_fails_with_a_message_to_the_model_and_the_turn_goes_on(arguments: str, reason: str) -> None:
    good = Call(NOTE, '{"id": 0, "newContent": "Ada likes tea"}')
    async with (
        OpenAIEmulator(Say(calls=(Call(NOTE, arguments),)), Say(calls=(good,)), Say("Noted, tea.")) as endpoint,
        bot_on(endpoint) as bot,
    ):
        await bot.say("I like tea")

        assert bot.replies == ["Noted, tea."]
        assert [memory.text for memory in await bot.memories()] == ["Ada likes tea"]
        assert reason in endpoint.requests[1].messages[-1]["content"]


async def test_b49_other_calls_of_the_same_answer_are_carried_out() -> None:
    calls = (Call(NOTE, "[1]", id="a"), Call(NOTE, '{"id": 0, "newContent": "Ada likes tea"}', id="b"))
    async with OpenAIEmulator(Say(calls=calls), Say("Noted.")) as endpoint, bot_on(endpoint) as bot:
        await bot.say("I like tea")

        assert bot.replies == ["Noted."]
        assert [memory.text for memory in await bot.memories()] == ["Ada likes tea"]
        assert [message["tool_call_id"] for message in endpoint.requests[1].messages if message["role"] == "tool"] == ["a", "b"]
