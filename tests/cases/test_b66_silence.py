"""A model that chooses to say nothing."""

import pytest

from bot.testing.factories import GROUP
from tests.cases.model_stage import bot_on
from tests.emulators.openai.answers import Say, Scripted, Stream, frame
from tests.emulators.openai.server import OpenAIEmulator


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Say(""), id="empty"),
        pytest.param(Say(" \n "), id="blanks"),
        pytest.param(Stream((frame({"role": "assistant", "content": None}), frame(finish="stop"))), id="null"),
        pytest.param(Say("<think>Nobody asked me.</think>"), id="nothing but reasoning"),
    ],
)
async def test_b66_silence_in_a_group_sends_nothing_and_stops_typing(answer: Scripted, capsys: pytest.CaptureFixture[str]) -> None:
    async with OpenAIEmulator(answer) as endpoint, bot_on(endpoint) as bot:
        await bot.say("Never mind, Iris.", conversation=GROUP)

        assert bot.replies == []
        assert bot.platform.composing_now == 0

        await bot.say("Iris, are you there?", conversation=GROUP)

        assert len(bot.replies) == 1
    assert "Traceback" not in "".join(capsys.readouterr())


async def test_b66_silence_in_a_direct_chat_is_asked_once_more_and_then_admitted() -> None:
    async with OpenAIEmulator(Say(""), Say("")) as endpoint, bot_on(endpoint) as bot:
        await bot.say("Hello")

        assert len(endpoint.requests) == 2
        assert len(bot.replies) == 1
        assert bot.replies[0].strip()
