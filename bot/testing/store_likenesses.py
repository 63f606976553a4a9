"""What every store's vectors must do; part of `bot.testing.store_contract`."""

import numpy as np
import pytest

from bot.ports.store import Store
from bot.testing.store_corpora import TURNS, cosines, said, vectors


class LikenessesContract:
    """One test a sentence of the port's docstrings."""

    async def test_an_equal_vector_comes_first_with_a_cosine_of_one(self, store: Store) -> None:
        drawn = vectors(6, size=512)
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(number) for number in range(6)])
            await tx.corpora.put_vectors(TURNS, "e", range(6), drawn)

            near = await cosines(tx, drawn[3:4] * 5)
        exact = drawn @ drawn[3]
        assert max(near, key=lambda one: near[one]) == 3
        assert near[3] == pytest.approx(1.0, abs=1e-6)
        assert list(near.values()) == pytest.approx(exact.tolist(), abs=0.005)

    async def test_a_vector_that_points_nowhere_is_like_nothing(self, store: Store) -> None:
        drawn = vectors(3)
        drawn[1], drawn[2] = 0.0, np.nan
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(number) for number in range(3)])
            await tx.corpora.put_vectors(TURNS, "e", range(3), drawn)

            assert await cosines(tx, drawn[:1]) == {0: pytest.approx(1.0), 1: 0.0, 2: 0.0}
            assert await cosines(tx, drawn[1:2]) == await cosines(tx, drawn[2:]) == {0: 0.0, 1: 0.0, 2: 0.0}
            assert await tx.corpora.without_vectors(TURNS, "e", limit=9) == []

    async def test_vectors_of_another_embedder_or_size_are_unknown(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1), said(2)])
            await tx.corpora.put_vectors(TURNS, "e", [1], vectors(1))

            assert await cosines(tx, vectors(1), embedder="other") == {}
            assert await cosines(tx, vectors(1, size=9)) == {}
            assert list(await cosines(tx, vectors(1))) == [1]

    async def test_a_question_is_one_vector(self, store: Store) -> None:
        async with store.read() as tx:
            for wrong in (vectors(2), vectors(1)[0]):
                with pytest.raises(ValueError, match="one vector in one row"):
                    await tx.corpora.likenesses(TURNS, wrong, embedder="e")

    async def test_vectors_of_a_new_embedder_replace_those_of_the_one_before(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1), said(2)])
            await tx.corpora.put_vectors(TURNS, "old", [1, 2], vectors(2))
            await tx.corpora.put_vectors(TURNS, "new", [2, 1], vectors(2, size=5))

            assert await cosines(tx, vectors(1), embedder="old") == {}
            assert (await cosines(tx, vectors(2, size=5)[:1], embedder="new"))[2] == pytest.approx(1.0)

    async def test_vectors_of_unknown_documents_are_left_out(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1), said(2)])
            await tx.corpora.put_vectors(TURNS, "e", [77, 2], vectors(2))
            await tx.corpora.put_vectors(TURNS, "e", [], vectors(0))

            assert await cosines(tx, vectors(2)[1:]) == {2: pytest.approx(1.0)}

    async def test_a_vector_for_each_document_is_asked_for(self, store: Store) -> None:
        async with store.write() as tx:
            with pytest.raises(ValueError, match="as many vectors"):
                await tx.corpora.put_vectors(TURNS, "e", [1, 2], vectors(1))

    async def test_documents_without_a_vector_come_newest_first(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(number) for number in (4, 1, 3, 2)])
            await tx.corpora.put_vectors(TURNS, "e", [3], vectors(1))
            await tx.corpora.remove(TURNS, [2])

            assert await tx.corpora.without_vectors(TURNS, "e", limit=9) == [4, 1]
            assert await tx.corpora.without_vectors(TURNS, "e", limit=1) == [4]
            assert await tx.corpora.without_vectors(TURNS, "other", limit=9) == [4, 3, 1]

    async def test_thousands_of_vectors_are_compared_as_numpy_does(self, store: Store) -> None:
        drawn, ids = vectors(3000, size=16), np.random.default_rng(5).permutation(3000)
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(one) for one in ids.tolist()])
        for some in np.split(ids, 3):
            async with store.write() as tx:
                await tx.corpora.put_vectors(TURNS, "e", some.tolist(), drawn[some])

        async with store.read() as tx:
            near = await cosines(tx, drawn[:1])
        assert list(near) == list(range(3000))
        assert np.abs(np.array(list(near.values())) - drawn @ drawn[0]).max() < 0.02
