"""Streams that end with a piece that holds usage and no choices."""

from bot.domain.model import Usage
from bot.testing.factories import DIRECT
from tests.cases.model_stage import bot_on
from tests.emulators.openai.answers import Say, Stream, frame, frames_of, usage_frame
from tests.emulators.openai.server import OpenAIEmulator

USAGE = {"prompt_tokens": 40, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 32}}


async def test_b55_piece_without_choices_is_no_text_and_its_usage_is_counted() -> None:
    stream = Stream((frame(choices=[]), *frames_of(Say("Good day."), with_usage=False), usage_frame(USAGE)))
    async with OpenAIEmulator(stream, stream) as endpoint, bot_on(endpoint) as bot:
        await bot.say("Hello")
        await bot.say("Hello again")

        assert bot.replies == ["Good day.", "Good day."]
        async with bot.store.read() as tx:
            assert await tx.usage.totals(DIRECT) == Usage("", 80, 4, 64)
