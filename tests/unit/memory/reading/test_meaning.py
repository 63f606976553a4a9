import asyncio
from collections.abc import Sequence

from bot.errors import EmbedderUnavailable
from bot.llm.embedders.hashing import HashingEmbedder
from bot.memory.reading.meaning import Meaning
from bot.ports.embedder import Vectors


class Broken(HashingEmbedder):
    """Gives no vectors."""

    async def queries(self, texts: Sequence[str]) -> Vectors:
        raise EmbedderUnavailable("out")

    async def passages(self, texts: Sequence[str]) -> Vectors:
        raise EmbedderUnavailable("out")


class Silent(HashingEmbedder):
    """Never answers."""

    async def queries(self, texts: Sequence[str]) -> Vectors:
        await asyncio.Event().wait()
        raise AssertionError


async def test_question_gets_a_vector_and_what_unrelated_texts_are_like() -> None:
    meaning = Meaning(HashingEmbedder())

    before = await meaning.of("Where is the key?")
    await meaning.prepare()
    after = await meaning.of("Where is the key?")

    assert before is not None
    assert before.background is None
    assert after is not None
    assert after.background is not None
    assert after.vector.shape == (1, 512)


async def test_without_an_embedder_in_trouble_or_out_of_time_words_have_to_do() -> None:
    silent = Meaning(Silent(), patience=0.01)
    broken = Meaning(Broken())
    await broken.prepare()

    assert await Meaning(None).of("Where?") is None
    assert await broken.of("Where?") is None
    assert await silent.of("Where?") is None
    assert await Meaning(HashingEmbedder()).of("  ") is None
