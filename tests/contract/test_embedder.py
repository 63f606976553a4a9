"""Every Embedder of ours keeps the port's promises; those of extras, where they are installed."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from bot.llm.embedders.hashing import HashingEmbedder
from bot.llm.embedders.local import LocalEmbedder
from bot.llm.embedders.openai_embedder import OpenAIEmbedder
from bot.llm.embedders.packages import PACKAGES, ModelPackage
from bot.ports.embedder import Embedder
from bot.testing.embedder_contract import ClosingContract, EmbedderContract, ManyLanguagesContract
from tests.emulators.openai.server import OpenAIEmulator

USE, E5, MINILM = PACKAGES


def loaded(package: ModelPackage) -> Iterator[Embedder]:
    if not package.is_installed:
        pytest.skip(f"the extra {package.extra} is not installed")
    embedder = LocalEmbedder(package)
    yield embedder
    asyncio.run(embedder.close())


async def asking() -> AsyncIterator[Embedder]:
    async with OpenAIEmulator() as endpoint:
        embedder = OpenAIEmbedder("test-embedder", base_url=endpoint.base_url)
        yield embedder
        await embedder.close()


class TestHashingEmbedder(EmbedderContract, ClosingContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder()


class TestOpenAIEmbedder(EmbedderContract):
    @pytest.fixture
    async def embedder(self) -> AsyncIterator[Embedder]:
        async for embedder in asking():
            yield embedder


class TestUseMultilingual(EmbedderContract, ManyLanguagesContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Iterator[Embedder]:
        yield from loaded(USE)


class TestE5(EmbedderContract, ManyLanguagesContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Iterator[Embedder]:
        yield from loaded(E5)


class TestMiniLM(EmbedderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Iterator[Embedder]:
        yield from loaded(MINILM)


class TestClosingTheDefault(ClosingContract):
    @pytest.fixture
    def embedder(self) -> Iterator[Embedder]:
        yield from loaded(USE)


class TestClosingAnEndpoint(ClosingContract):
    @pytest.fixture
    async def embedder(self) -> AsyncIterator[Embedder]:
        async for embedder in asking():
            yield embedder
