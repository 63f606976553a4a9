"""A bot whose model is a real client on a real endpoint."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from bot.domain.persona import Persona
from bot.llm.openai_model import OpenAIModel, Patience
from bot.testing.bot import Bot, make_bot
from tests.emulators.openai.server import OpenAIEmulator


@asynccontextmanager
async def bot_on(
    endpoint: OpenAIEmulator,
    *,
    database: str = "",
    personas: Sequence[Persona] = (),
    plugins: Mapping[str, object] | None = None,
) -> AsyncIterator[Bot]:
    """Run a bot that answers through this endpoint."""
    model = OpenAIModel("test-model", base_url=endpoint.base_url, api_key="test", patience=Patience(retries=0))
    async with make_bot(model, database=database, personas=personas, plugins=plugins) as bot:
        yield bot
