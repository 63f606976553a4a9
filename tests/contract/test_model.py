"""Every ChatModel of ours keeps the port's promises."""

from collections.abc import AsyncIterator

import pytest

from bot.domain.tool import ToolCall
from bot.errors import ModelUnavailable, ToolsUnsupported
from bot.llm.fallback import FallbackModel
from bot.llm.offline import OfflineModel
from bot.llm.openai_model import OpenAIModel, Patience
from bot.ports.model import ChatModel
from bot.testing.clock import FrozenClock
from bot.testing.model_contract import NOTE, CutOffContract, ModelContract, NoToolsContract, ToolsContract, asking, events_of
from bot.testing.scripted_model import ScriptedModel, calling
from tests.emulators.openai.answers import Ending, Say, Stream, frames_of
from tests.emulators.openai.rules import Rules
from tests.emulators.openai.server import OpenAIEmulator

CALL = ToolCall("call_1", NOTE.name, '{"id": 0, "newContent": "I like tea"}')
CUT = Stream(frames_of(Say("Hello."), with_usage=False)[:-1], Ending.DROPPED)


def scripted(*, takes_tools: bool = True) -> ScriptedModel:
    """Return a model that has an answer for every test of the suite."""
    replies = [lambda request: calling(CALL) if "remember" in request.text else "Hello, you."] * 4
    return ScriptedModel(*replies, takes_tools=takes_tools)


@pytest.fixture
async def endpoint() -> AsyncIterator[OpenAIEmulator]:
    async with OpenAIEmulator() as emulator:
        yield emulator


async def opened(endpoint: OpenAIEmulator) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("test-model", base_url=endpoint.base_url, patience=Patience(retries=0))
    yield model
    await model.close()


class TestScriptedModel(ModelContract, ToolsContract, CutOffContract):
    @pytest.fixture
    def model(self) -> ChatModel:
        return scripted()

    @pytest.fixture
    def cut_off(self) -> ChatModel:
        return ScriptedModel(calling(text="Hel")[:1])


class TestScriptedModelWithoutTools(ModelContract, NoToolsContract):
    @pytest.fixture
    def model(self) -> ChatModel:
        return scripted(takes_tools=False)


class TestOfflineModel(ModelContract, ToolsContract):
    @pytest.fixture
    def model(self) -> ChatModel:
        return OfflineModel()


class TestOpenAIModel(ModelContract, ToolsContract, CutOffContract):
    @pytest.fixture
    async def model(self, endpoint: OpenAIEmulator) -> AsyncIterator[ChatModel]:
        async for model in opened(endpoint):
            yield model

    @pytest.fixture
    async def cut_off(self, endpoint: OpenAIEmulator) -> AsyncIterator[ChatModel]:
        endpoint.script(CUT)
        async for model in opened(endpoint):
            yield model


class TestOpenAIModelWithoutTools(ModelContract, NoToolsContract):
    @pytest.fixture
    async def model(self, endpoint: OpenAIEmulator) -> AsyncIterator[ChatModel]:
        endpoint.rules = Rules(takes_tools=False)
        async for model in opened(endpoint):
            with pytest.raises(ToolsUnsupported):
                await events_of(model, asking("Hello", tools=(NOTE,)))
            yield model


class TestFallbackModel(ModelContract, ToolsContract, CutOffContract):
    @pytest.fixture
    def model(self) -> ChatModel:
        return FallbackModel([ScriptedModel(*[ModelUnavailable("out")] * 4), scripted()], FrozenClock())

    @pytest.fixture
    def cut_off(self) -> ChatModel:
        return FallbackModel([ScriptedModel(calling(text="Hel")[:1]), scripted()], FrozenClock())
