import socket

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.llm.catalogue import offered_models
from tests.emulators.openai.rules import Rules
from tests.emulators.openai.server import OpenAIEmulator


async def test_an_endpoint_names_its_models() -> None:
    async with OpenAIEmulator(rules=Rules(models=("small", "large"))) as endpoint:
        offered = await offered_models(base_url=endpoint.base_url, api_key="", model="small", seconds=3)

    assert offered == ["small", "large"]


async def test_a_wrong_path_is_explained() -> None:
    async with OpenAIEmulator() as endpoint:
        with pytest.raises(ModelRefused, match="usually ends in /v1"):
            await offered_models(base_url=endpoint.base_url.removesuffix("/v1"), api_key="", model="small", seconds=3)


async def test_an_endpoint_that_says_nothing_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"

        with pytest.raises(ModelUnavailable, match="does not answer"):
            await offered_models(base_url=address, api_key="key", model="small", seconds=0.1)
