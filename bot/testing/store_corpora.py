"""What every store's Corpora must do; part of `bot.testing.store_contract`."""

import asyncio
from datetime import timedelta

import numpy as np
import pytest

from bot.domain.message import Person
from bot.domain.past import CorpusKey, CorpusKind, Document
from bot.errors import StoreError
from bot.ports.corpus import Documents
from bot.ports.embedder import Vectors
from bot.ports.store import Store, Transaction
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, DIRECT, GROUP

TURNS = CorpusKey(DIRECT)
ELSEWHERE = CorpusKey(GROUP)
STRUCTURED = CorpusKey(DIRECT, CorpusKind.STRUCTURED)
IRIS = Person("iris", "Iris", is_bot=True)


def said(document_id: int, text: str = "cats", *, speaker: Person = ADA) -> Document:
    """Return a document that was said as many seconds after the start as the last digits of its id say."""
    return Document(document_id, text, speaker, START + timedelta(seconds=document_id % 10**6), of_persona=speaker.is_bot)


def vectors(count: int, *, size: int = 8, seed: int = 7) -> Vectors:
    """Return vectors of length 1 that point anywhere."""
    drawn = np.random.default_rng(seed).normal(size=(count, size))
    unit: Vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return unit


async def found(tx: Transaction, term: str, key: CorpusKey = TURNS) -> list[tuple[int, int]]:
    """Return the ids of the documents with a term, each with how often it stands there."""
    documents = await tx.corpora.documents(key)
    postings = (await tx.corpora.postings(key, [term])).get(term)
    return [] if postings is None else list(zip(documents.ids[postings.places].tolist(), postings.counts.tolist(), strict=True))


async def cosines(tx: Transaction, query: Vectors, *, key: CorpusKey = TURNS, embedder: str = "e") -> dict[int, float]:
    """Return the cosines of those documents that have a vector, by id."""
    documents, likenesses = await tx.corpora.documents(key), await tx.corpora.likenesses(key, query, embedder=embedder)
    assert likenesses.cosines.shape == likenesses.known.shape == documents.ids.shape
    assert not likenesses.cosines[~likenesses.known].any()
    ids = documents.ids[likenesses.known].tolist()
    return dict(zip(ids, likenesses.cosines[likenesses.known].tolist(), strict=True))


def speakers_of(documents: Documents) -> list[str]:
    """Return the names of who speaks in each document."""
    return [documents.people[index].display_name for index in documents.speakers]


class DocumentsContract:
    """One test a sentence of the port's docstrings."""

    async def test_documents_come_in_the_order_of_their_ids_whatever_the_order_they_are_added_in(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(5), said(2, "cats like cats", speaker=BO)])
            await tx.corpora.add(TURNS, [said(2**40, ""), said(3, "猫", speaker=IRIS)])

        async with store.read() as tx:
            documents = await tx.corpora.documents(TURNS)
        assert documents.ids.tolist() == [2, 3, 5, 2**40]
        assert documents.times[:3].tolist() == [int(START.timestamp()) + second for second in (2, 3, 5)]
        assert documents.lengths.tolist() == [3, 1, 1, 0]
        assert documents.of_persona.tolist() == [False, True, False, False]
        assert speakers_of(documents) == ["Bo", "Iris", "Ada", "Ada"]

    async def test_a_corpus_that_nobody_has_added_to_is_empty(self, store: Store) -> None:
        async with store.write() as tx:
            documents = await tx.corpora.documents(TURNS)
            likenesses = await tx.corpora.likenesses(TURNS, vectors(1), embedder="e")

            assert documents.ids.size == documents.times.size == likenesses.cosines.size == likenesses.known.size == 0
            assert documents.people == ()
            assert await tx.corpora.postings(TURNS, ["cat"]) == {}
            assert await tx.corpora.without_vectors(TURNS, "e", limit=9) == []
            assert await tx.corpora.remove(TURNS, [1]) == 0
            await tx.corpora.put_vectors(TURNS, "e", [1], vectors(1))
            await tx.corpora.clear(TURNS)
            await tx.corpora.add(TURNS, [])

    async def test_people_are_there_once_each_under_the_name_borne_last(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(4, speaker=Person("ada", "Ada L.")), said(3, speaker=Person("ada", "A."))])
            await tx.corpora.add(TURNS, [said(1, speaker=Person("ada", "Augusta")), said(2, speaker=Person("ada", "Robot", is_bot=True))])
            await tx.corpora.add(TURNS, [said(9, speaker=Person("bo", "Bo"))])
            await tx.corpora.add(TURNS, [said(10, speaker=Person("bo", "Bø")), said(5, speaker=Person("bo", "B."))])

        async with store.read() as tx:
            documents = await tx.corpora.documents(TURNS)
        assert speakers_of(documents) == ["Ada L.", "Robot", "Ada L.", "Ada L.", "Bø", "Bø", "Bø"]
        assert len(documents.people) == 3

    async def test_corpora_are_walled_by_conversation_and_kind(self, store: Store) -> None:
        async with store.write() as tx:
            for key in (TURNS, ELSEWHERE, STRUCTURED):
                await tx.corpora.add(key, [said(1, f"{key.kind} {'cats' if key == TURNS else 'dogs'}")])
                await tx.corpora.put_vectors(key, "e", [1], vectors(1))
            await tx.corpora.remove(STRUCTURED, [1])
            await tx.corpora.clear(ELSEWHERE)

        async with store.read() as tx:
            assert await found(tx, "cat") == [(1, 1)]
            assert list(await cosines(tx, vectors(1))) == [1]
            for key in (ELSEWHERE, STRUCTURED):
                assert (await tx.corpora.documents(key)).ids.size == 0
                assert await found(tx, "dog", key) == await found(tx, "cat", key) == []

    async def test_a_known_document_is_replaced(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(number, "cats and dogs") for number in range(1, 5)])
            await tx.corpora.put_vectors(TURNS, "e", [1, 2, 3, 4], vectors(4))
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(2, "birds"), said(2, "birds and fish, birds", speaker=BO), said(5, "fish")])

        async with store.read() as tx:
            documents = await tx.corpora.documents(TURNS)
            assert (documents.ids.tolist(), documents.lengths.tolist()) == ([1, 2, 3, 4, 5], [2, 3, 2, 2, 1])
            assert speakers_of(documents)[1] == "Bo"
            assert await found(tx, "cat") == await found(tx, "dog") == [(1, 1), (3, 1), (4, 1)]
            assert await found(tx, "bird") == [(2, 2)]
            assert await tx.corpora.without_vectors(TURNS, "e", limit=9) == [5, 2], "the vector was that of the old text"

    async def test_removed_documents_are_gone_and_counted(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1), said(2, "cats, dogs", speaker=BO), said(3), said(4, speaker=IRIS)])
            await tx.corpora.put_vectors(TURNS, "e", [1, 2, 3, 4], vectors(4))
        async with store.write() as tx:
            assert await tx.corpora.remove(TURNS, [2, 3, 3, 77]) == 2
            assert await tx.corpora.remove(TURNS, [2, 77]) == 0
            assert await tx.corpora.remove(TURNS, []) == 0

        async with store.read() as tx:
            documents = await tx.corpora.documents(TURNS)
            assert (documents.ids.tolist(), documents.people) == ([1, 4], (ADA, IRIS)), "Bo speaks nowhere any more"
            assert speakers_of(documents) == ["Ada", "Iris"]
            assert await found(tx, "cat") == [(1, 1), (4, 1)]
            assert await tx.corpora.postings(TURNS, ["dog"]) == {}
            assert list(await cosines(tx, vectors(1))) == [1, 4]

    async def test_what_comes_after_a_removal_is_found_as_if_nothing_had_been(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1, speaker=BO), said(2), said(3)])
            await tx.corpora.remove(TURNS, [1, 2])
            await tx.corpora.add(TURNS, [said(2, "dogs", speaker=IRIS), said(4, "cats")])

        async with store.read() as tx:
            assert (await tx.corpora.documents(TURNS)).ids.tolist() == [2, 3, 4]
            assert speakers_of(await tx.corpora.documents(TURNS)) == ["Iris", "Ada", "Ada"]
            assert await found(tx, "cat") == [(3, 1), (4, 1)]
            assert await found(tx, "dog") == [(2, 1)]

    async def test_a_cleared_corpus_is_empty_and_can_be_filled_again(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(number) for number in range(1, 300)])
            await tx.corpora.put_vectors(TURNS, "e", range(1, 300), vectors(299))
        async with store.read() as tx:
            assert len(await cosines(tx, vectors(1))) == 299
        async with store.write() as tx:
            await tx.corpora.clear(TURNS)
            assert (await tx.corpora.documents(TURNS)).ids.size == 0
            await tx.corpora.add(TURNS, [said(7, "dogs", speaker=BO)])

        async with store.read() as tx:
            assert (await tx.corpora.documents(TURNS)).people == (BO,)
            assert await found(tx, "cat") == []
            assert await found(tx, "dog") == [(7, 1)]
            assert await cosines(tx, vectors(1)) == {}


class PostingsContract:
    """One test a sentence of the port's docstrings."""

    async def test_terms_that_stand_nowhere_are_left_out(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1, "cats and 京都"), said(2, "runs")])

            postings = await tx.corpora.postings(TURNS, ["京都", "cat", "zebra", "\0", "%", "'"])
        assert set(postings) == {"京都", "cat"}

    async def test_places_rise_and_counts_are_how_often_a_term_stands_there(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(9, "cat cat"), said(2, "dog"), said(4, "cat " * 300), said(3, "cat")])

            postings = (await tx.corpora.postings(TURNS, ["cat"]))["cat"]
        assert postings.places.tolist() == [1, 2, 3]
        assert postings.counts.tolist() == [1, 255, 2], "as far as a byte counts"

    async def test_thousands_of_documents_in_any_order_are_all_found(self, store: Store) -> None:
        ids = np.random.default_rng(3).permutation(5000).tolist()
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(one, f"cat number{one} {'dog' if one % 7 == 0 else ''}") for one in ids])
        async with store.write() as tx:
            assert await tx.corpora.remove(TURNS, range(100, 4000)) == 3900

        async with store.read() as tx:
            kept = [*range(100), *range(4000, 5000)]
            assert (await tx.corpora.documents(TURNS)).ids.tolist() == kept
            assert [one for one, _ in await found(tx, "cat")] == kept
            assert [one for one, _ in await found(tx, "dog")] == [one for one in kept if one % 7 == 0]
            assert await found(tx, "number4999") == [(4999, 1)]
            assert await found(tx, "number2000") == []

    async def test_very_many_terms_are_looked_up_at_once(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(one, f"number{one}") for one in range(1200)])

            postings = await tx.corpora.postings(TURNS, [f"number{one}" for one in range(3000)])
        assert len(postings) == 1200


class CorpusLifeContract:
    """What holds over transactions."""

    async def test_a_corpus_is_the_same_after_the_store_was_opened_again(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1), said(2, speaker=BO)])
            await tx.corpora.put_vectors(TURNS, "e", [1], vectors(1))
        await store.close()
        await store.open()

        async with store.read() as tx:
            assert speakers_of(await tx.corpora.documents(TURNS)) == ["Ada", "Bo"]
            assert await found(tx, "cat") == [(1, 1), (2, 1)]
            assert await cosines(tx, vectors(1)) == {1: pytest.approx(1.0)}

    async def test_what_is_added_one_by_one_is_found_at_once(self, store: Store) -> None:
        for number in range(1, 140):
            async with store.write() as tx:
                await tx.corpora.add(TURNS, [said(number)])
                await tx.corpora.put_vectors(TURNS, "e", [number], vectors(1, seed=number))
            if number % 23 == 1:
                async with store.read() as tx:
                    assert [one for one, _ in await found(tx, "cat")] == list(range(1, number + 1))
                    assert (await cosines(tx, vectors(1, seed=number)))[number] == pytest.approx(1.0)

    async def test_what_is_undone_is_never_seen_by_others(self, store: Store) -> None:
        async def fail() -> None:
            async with store.write() as tx:
                await tx.corpora.add(TURNS, [said(2, "dogs")])
                await tx.corpora.put_vectors(TURNS, "e", [2], vectors(1))
                assert await found(tx, "dog") == [(2, 1)]
                assert list(await cosines(tx, vectors(1))) == [2]
                raise RuntimeError("on purpose")

        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1)])
        with pytest.raises(RuntimeError, match="on purpose"):
            await fail()

        async with store.read() as tx:
            assert (await tx.corpora.documents(TURNS)).ids.tolist() == [1]
            assert await cosines(tx, vectors(1)) == {}
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(3, "birds")])
        async with store.read() as tx:
            assert (await tx.corpora.documents(TURNS)).ids.tolist() == [1, 3]
            assert await found(tx, "dog") == []

    async def test_a_read_sees_one_state_of_a_corpus_while_others_write(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1), said(2)])
        async with store.read() as before:
            assert await found(before, "cat") == [(1, 1), (2, 1)]
            async with store.write() as tx:
                await tx.corpora.add(TURNS, [said(3)])
                await tx.corpora.put_vectors(TURNS, "e", [1, 3], vectors(2))
                await tx.corpora.remove(TURNS, [2])
            async with store.read() as after:
                assert await found(after, "cat") == [(1, 1), (3, 1)]
                assert list(await cosines(after, vectors(1))) == [1, 3]

            assert await found(before, "cat") == [(1, 1), (2, 1)]
            assert await cosines(before, vectors(1)) == {}
        async with store.read() as later:
            assert list(await cosines(later, vectors(1))) == [1, 3]

    async def test_many_tasks_add_at_once_and_nothing_is_lost(self, store: Store) -> None:
        async def add(number: int) -> None:
            async with store.write() as tx:
                await tx.corpora.add(TURNS, [said(number), said(number + 100)])
            async with store.read() as tx:
                assert await _is_whole(tx)

        await asyncio.gather(*(add(number) for number in range(30)))

        async with store.read() as tx:
            assert [one for one, _ in await found(tx, "cat")] == [*range(30), *range(100, 130)]

    async def test_adding_in_a_read_raises(self, store: Store) -> None:
        with pytest.raises(StoreError):
            async with store.read() as tx:
                await tx.corpora.add(TURNS, [said(1)])

    @pytest.mark.parametrize("removal", ["remove", "clear", "replace"])
    async def test_a_word_that_nobody_says_any_more_is_in_no_corpus(self, store: Store, removal: str) -> None:
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(1, "zanzibar"), said(2)])
        async with store.write() as tx:
            await _take_out(tx, 1, removal)

        async with store.read() as tx:
            assert await tx.corpora.postings(TURNS, ["zanzibar"]) == {}


async def _is_whole(tx: Transaction) -> bool:
    documents = await tx.corpora.documents(TURNS)
    ids: list[int] = documents.ids.tolist()
    return [one for one, _ in await found(tx, "cat")] == ids


async def _take_out(tx: Transaction, document_id: int, removal: str) -> None:
    match removal:
        case "remove":
            assert await tx.corpora.remove(TURNS, [document_id]) == 1
        case "clear":
            await tx.corpora.clear(TURNS)
        case _:
            await tx.corpora.add(TURNS, [said(document_id, "quiet")])


class CorporaContract(DocumentsContract, PostingsContract, CorpusLifeContract):
    """All of what search reads, likenesses aside."""
