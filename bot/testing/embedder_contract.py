"""What every Embedder must do. Subclass it in a test module and give it an `embedder` fixture."""

import asyncio
import time

import numpy as np
import pytest

from bot.errors import EmbedderUnavailable
from bot.ports.embedder import Embedder

CAT = "My cat is called Mochi and sleeps all day."
PIE = "The recipe for the pie needs three eggs and a bit of sugar."
TRAIN = "The train to the coast leaves at nine in the morning."
HARD_TEXTS = [
    pytest.param("a\0b", id="a zero byte"),
    pytest.param("half \ud83d of an emoji", id="a lone surrogate"),
    pytest.param("e\u0301" * 300, id="accents"),
    pytest.param("word " * 20_000, id="100,000 characters"),
    pytest.param("猫" * 20_000, id="no blanks"),
    pytest.param("<|endoftext|> [PAD] </s> query: x", id="control tokens"),
]


class EmbedderContract:
    """One test a sentence of the port's docstring."""

    async def test_a_text_gives_one_row_of_length_1(self, embedder: Embedder) -> None:
        for vectors in (await embedder.queries([CAT, PIE]), await embedder.passages([CAT, PIE])):
            assert vectors.shape == (2, embedder.size)
            assert vectors.dtype == np.float32
            np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    async def test_the_same_text_gives_the_same_vector(self, embedder: Embedder) -> None:
        first, second = await embedder.passages([CAT]), await embedder.passages([CAT])

        assert np.array_equal(first, second)

    async def test_many_at_once_give_what_each_gives_alone(self, embedder: Embedder) -> None:
        texts = [CAT, "", PIE, TRAIN * 3, CAT, "Hi"] * 4

        together = await embedder.passages(texts)

        alone = [(await embedder.passages([text]))[0] for text in texts[:6]] * 4
        np.testing.assert_allclose(together, np.stack(alone), atol=1e-5)

    @pytest.mark.parametrize("text", ["", " \n\t", "…!?", "\0"])
    async def test_a_text_that_means_nothing_gives_a_row_of_zeros(self, embedder: Embedder, text: str) -> None:
        vectors = await embedder.passages([CAT, text])

        assert not vectors[1].any()
        assert vectors[0].any()

    async def test_nothing_gives_no_rows(self, embedder: Embedder) -> None:
        assert len(await embedder.passages([])) == 0

    @pytest.mark.parametrize("text", HARD_TEXTS)
    async def test_any_text_is_taken(self, embedder: Embedder, text: str) -> None:
        (vector,) = await embedder.queries([text])

        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)

    async def test_a_question_lies_nearest_to_what_answers_it(self, embedder: Embedder) -> None:
        (question,) = await embedder.queries(["What is my cat called?"])

        assert np.argmax(await embedder.passages([PIE, TRAIN, CAT]) @ question) == 2

    async def test_a_text_lies_near_itself_as_question_and_as_passage(self, embedder: Embedder) -> None:
        questions, passages = await embedder.queries([CAT, PIE, TRAIN]), await embedder.passages([CAT, PIE, TRAIN])

        nearness = questions @ passages.T
        assert np.diag(nearness).min() > 0.9
        assert list(np.argmax(nearness, axis=1)) == [0, 1, 2]

    async def test_name_and_size_stand_from_the_first_vector_on(self, embedder: Embedder) -> None:
        name = embedder.name
        (vector,) = await embedder.queries([CAT])

        assert embedder.name == name
        assert len(vector) == embedder.size > 0

    async def test_many_may_ask_at_once(self, embedder: Embedder) -> None:
        texts = [f"{CAT} {number}" for number in range(8)]

        answers = await asyncio.gather(*(embedder.queries([text]) for text in texts))

        np.testing.assert_allclose(np.concatenate(answers), await embedder.queries(texts), atol=1e-5)

    async def test_a_question_need_not_wait_for_all_passages_and_the_loop_goes_on(self, embedder: Embedder) -> None:
        await embedder.queries([CAT])
        turns_of_the_loop = 0

        passages = asyncio.ensure_future(embedder.passages([f"{TRAIN} {number}" for number in range(160)]))
        await asyncio.sleep(0)
        question = asyncio.ensure_future(embedder.queries([CAT]))
        while not question.done():
            turns_of_the_loop += 1
            await asyncio.sleep(0)
        was_first = not passages.done()
        await passages

        assert was_first
        assert turns_of_the_loop > 0


class ClosingContract:
    """What becomes of an Embedder that is closed. Give it an `embedder` fixture of its own."""

    async def test_closing_is_quick_and_may_come_twice(self, embedder: Embedder) -> None:
        embedder.warm_up()
        await embedder.queries([CAT])
        before = time.monotonic()

        await embedder.close()
        await embedder.close()

        assert time.monotonic() - before < 1

    async def test_after_it_there_are_no_vectors_or_proper_ones(self, embedder: Embedder) -> None:
        await embedder.close()

        try:
            vectors = await embedder.queries([CAT])
        except EmbedderUnavailable:
            return
        assert vectors.any()


class ManyLanguagesContract:
    """What an Embedder for several languages must do too."""

    @pytest.mark.parametrize(
        ("said", "meant"),
        [
            pytest.param("うちの猫はモチという名前で、一日中寝ています。", CAT, id="Japanese"),
            pytest.param("Meine Katze heißt Mochi und schläft den ganzen Tag.", CAT, id="German"),
            pytest.param("El tren a la costa sale a las nueve de la mañana.", TRAIN, id="Spanish"),
            pytest.param("去海边的火车早上九点出发。", TRAIN, id="Chinese"),
            pytest.param("パイのレシピには卵三個と砂糖が少し必要です。", PIE, id="Japanese recipe"),
        ],
    )
    async def test_a_sentence_lies_nearest_to_its_translation(self, embedder: Embedder, said: str, meant: str) -> None:
        texts = [CAT, PIE, TRAIN]

        there = await embedder.passages(texts) @ (await embedder.queries([said]))[0]
        back = await embedder.queries(texts) @ (await embedder.passages([said]))[0]

        assert texts[int(np.argmax(there))] == meant
        assert texts[int(np.argmax(back))] == meant
