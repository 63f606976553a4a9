"""Speech written down, through the real client."""

import pytest

from bot.errors import FileUnavailable
from bot.llm.openai_transcriber import OpenAITranscriber
from tests.emulators.openai.server import OpenAIEmulator


async def test_the_words_of_a_recording_are_returned() -> None:
    async with OpenAIEmulator() as endpoint:
        endpoint.transcripts.append(" I like tea ")
        transcriber = OpenAITranscriber("whisper-1", base_url=endpoint.base_url, api_key="sk-test")

        assert await transcriber.write_down(b"OggS", "voice.ogg") == "I like tea"

        await transcriber.close()


async def test_a_recording_that_is_refused_is_no_crash() -> None:
    async with OpenAIEmulator() as endpoint:
        transcriber = OpenAITranscriber("whisper-1", base_url=endpoint.base_url)

        with pytest.raises(FileUnavailable, match="did not take it"):
            await transcriber.write_down(b"OggS", "voice.ogg")

        await transcriber.close()
