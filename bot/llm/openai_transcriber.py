"""Speech written down by any OpenAI-compatible endpoint."""

from openai import APIError, AsyncOpenAI, Timeout

from bot.errors import FileUnavailable
from bot.llm.openai_model import NO_KEY, OPENAI

SECONDS = 60.0
LONGEST = 20_000
"""Characters of a transcript that are kept."""


class OpenAITranscriber:
    """Fulfils `bot.ports.files.Transcriber`."""

    def __init__(self, model: str, *, base_url: str = OPENAI, api_key: str = "") -> None:
        self._model = model
        self._client = AsyncOpenAI(base_url=base_url, api_key=api_key or NO_KEY, timeout=Timeout(SECONDS, connect=5.0), max_retries=1)

    async def write_down(self, data: bytes, name: str) -> str:
        """Return the words of a recording."""
        try:
            answer = await self._client.audio.transcriptions.create(model=self._model, file=(name, data), response_format="json")
        except APIError as problem:
            raise FileUnavailable(f"the transcription endpoint did not take it ({type(problem).__name__})") from problem
        return answer.text.strip()[:LONGEST]

    async def close(self) -> None:
        """Free the connections."""
        await self._client.close()
