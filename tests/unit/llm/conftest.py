"""An endpoint, and a model on it."""

from collections.abc import AsyncIterator

import pytest

from bot.llm.openai_model import OpenAIModel, Patience
from tests.emulators.openai.server import OpenAIEmulator

KEY = "sk-test-1234567890"


@pytest.fixture
async def endpoint() -> AsyncIterator[OpenAIEmulator]:
    async with OpenAIEmulator() as emulator:
        yield emulator


@pytest.fixture
async def model(endpoint: OpenAIEmulator) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("test-model", base_url=endpoint.base_url, api_key=KEY, patience=Patience(retries=0))
    yield model
    await model.close()
