"""What search reads: the cache over it, what is left of what was removed, and bytes that nobody wrote so."""

import random
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.domain.past import CorpusKey, Document
from bot.errors import StoreDamaged
from bot.storage.sql.corpus.slots import BLOCK
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP
from bot.testing.store_corpora import ELSEWHERE, TURNS, cosines, found, said, vectors
from tests.migration.databases import connected

CORPUS_TABLES = ("corpora", "corpus_blocks", "corpus_vectors", "corpus_postings")


@pytest.fixture
async def other(store_url: str, store: SqlStore) -> AsyncIterator[SqlStore]:
    """Give a second store on the same database, as another process would have it."""
    other = SqlStore(store_url)
    await other.open()
    yield other
    await other.close()


async def fill(store: SqlStore, count: int, *, key: CorpusKey = TURNS, size: int = 8) -> None:
    """Add so many documents with vectors."""
    async with store.write() as tx:
        await tx.corpora.add(key, [said(number) for number in range(count)])
        await tx.corpora.put_vectors(key, "e", range(count), vectors(count, size=size))


async def search(store: SqlStore, key: CorpusKey = TURNS) -> tuple[list[int], dict[int, float]]:
    """Return what a word and a vector find."""
    async with store.read() as tx:
        return [one for one, _ in await found(tx, "cat", key)], await cosines(tx, vectors(1), key=key)


def change(url: str, statement: str) -> None:
    """Change a database behind the program's back."""
    with connected(url) as connection:
        connection.execute(text(statement))


def counted(store: SqlStore) -> list[str]:
    """Return a list to which every statement is added that runs from now on."""
    seen: list[str] = []
    for engine in vars(store._database).values():
        if isinstance(engine, AsyncEngine):
            event.listen(engine.sync_engine, "before_cursor_execute", lambda *call: seen.append(call[2]))
    return seen


async def test_what_one_process_writes_another_sees_at_once(store: SqlStore, other: SqlStore) -> None:
    await fill(store, 300)
    assert len((await search(other))[1]) == 300

    async with store.write() as tx:
        await tx.corpora.add(TURNS, [said(900)])
        await tx.corpora.put_vectors(TURNS, "e", [900, 5], vectors(2))
        await tx.corpora.remove(TURNS, [7])
    words, near = await search(other)
    assert words == sorted(near) == [*range(7), *range(8, 300), 900]
    assert near == (await search(store))[1]

    async with other.write() as tx:
        await tx.corpora.clear(TURNS)
        await tx.corpora.add(TURNS, [said(1)])
    assert await search(store) == await search(other) == ([1], {})


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_done_in_whatever_order_both_see_what_a_plain_dictionary_would_hold(
    store: SqlStore, other: SqlStore, seed: int
) -> None:
    chance = random.Random(seed)
    drawn, words, embedded = vectors(400), dict[int, str](), set[int]()
    exact = drawn @ vectors(1)[0]
    for _ in range(25):
        ids = chance.sample(range(400), chance.choice([1, 5, 60]))
        async with chance.choice([store, other]).write() as tx:
            match chance.choice(["add", "add", "add", "embed", "embed", "remove", "clear"]):
                case "add":
                    added = {one: chance.choice(["cat", "dog", "cat dog"]) for one in ids}
                    await tx.corpora.add(TURNS, [said(one, text, speaker=chance.choice([ADA, BO])) for one, text in added.items()])
                    words, embedded = words | added, embedded - set(ids)
                case "embed":
                    await tx.corpora.put_vectors(TURNS, "e", ids, drawn[ids])
                    embedded |= set(ids) & set(words)
                case "remove":
                    assert await tx.corpora.remove(TURNS, ids) == len(set(ids) & set(words))
                    words, embedded = {one: text for one, text in words.items() if one not in ids}, embedded - set(ids)
                case _ if chance.random() < 0.3:
                    await tx.corpora.clear(TURNS)
                    words, embedded = {}, set()
        for reader in (store, other):
            found_words, near = await search(reader)
            assert found_words == sorted(one for one, text in words.items() if "cat" in text)
            assert near == {one: pytest.approx(float(exact[one]), abs=0.02) for one in sorted(embedded)}


async def test_what_has_not_changed_is_not_read_again(store: SqlStore) -> None:
    await fill(store, 300)
    before = await search(store)
    seen = counted(store)

    assert await search(store) == before

    assert [sql for sql in seen if "corpus_postings" in sql] != []
    assert [sql for sql in seen if "corpus_blocks" in sql or "corpus_vectors" in sql] == []


async def test_of_what_has_changed_only_that_is_read(store: SqlStore) -> None:
    await fill(store, 10 * BLOCK)
    await search(store)
    async with store.write() as tx:
        await tx.corpora.add(TURNS, [said(9999)])
        await tx.corpora.put_vectors(TURNS, "e", [9999], vectors(1))
    table, known = store._cache.slots(1), store._cache.vectors(1)
    assert table is not None
    assert known is not None

    words, near = await search(store)

    assert words[-1] == 9999
    assert near[9999] == pytest.approx(1.0)
    fresh = store._cache.vectors(1)
    assert fresh is not None
    assert [number for number, block in fresh.blocks.items() if known.blocks.get(number) is not block] == [10]


async def test_a_cache_that_is_too_small_changes_nothing_but_the_speed(store_url: str, store: SqlStore) -> None:
    await fill(store, 10_000)
    small = SqlStore(store_url, cache_bytes=50_000)
    await small.open()

    assert await search(small) == await search(store)

    assert small._cache.size_bytes == 0
    await small.close()


async def test_the_cache_lets_go_what_was_not_asked_for_longest(store_url: str, store: SqlStore) -> None:
    keys = [TURNS, ELSEWHERE]
    for key in keys:
        await fill(store, 500, key=key)
        await search(store, key)
    room = store._cache.size_bytes
    small = SqlStore(store_url, cache_bytes=room - 1)
    await small.open()

    for key in keys:
        await search(small, key)

    assert 0 < small._cache.size_bytes < room
    assert small._cache.slots(1) is None
    assert small._cache.slots(2) is not None
    await small.close()
    assert small._cache.size_bytes == 0


async def test_nothing_older_takes_the_place_of_what_is_newer(store: SqlStore) -> None:
    await fill(store, 3)
    await search(store)
    older = store._cache.slots(1)
    await fill(store, 4)
    await search(store)
    newer = store._cache.slots(1)
    assert older is not None
    assert newer is not None

    store._cache.keep(older)

    assert store._cache.slots(1) is newer


async def test_what_is_shared_cannot_be_written(store: SqlStore) -> None:
    await fill(store, 3)

    async with store.read() as tx:
        documents = await tx.corpora.documents(TURNS)
        for array in (documents.ids, documents.times, documents.speakers, documents.lengths, documents.of_persona):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


@pytest.mark.parametrize("removal", ["remove", "replace", "clear"])
async def test_a_word_that_was_taken_out_is_in_no_row(store_url: str, store: SqlStore, removal: str) -> None:
    async with store.write() as tx:
        await tx.corpora.add(TURNS, [Document(1, "zanzibar, zanzibar", ADA, START), said(2, speaker=BO)])
        await tx.corpora.put_vectors(TURNS, "e", [1], vectors(1))

    async with store.write() as tx:
        if removal == "remove":
            await tx.corpora.remove(TURNS, [1])
        elif removal == "clear":
            await tx.corpora.clear(TURNS)
        else:
            await tx.corpora.add(TURNS, [said(1, "quiet", speaker=BO)])

    rows = read_rows(store_url)
    numbers = bytes(vectors_of(vectors(1)))
    assert "zanzibar" not in str(rows)
    assert not any(numbers in value for row in rows for value in row if isinstance(value, bytes))
    if removal == "remove":
        assert "Ada" not in str(rows)


async def test_a_word_that_was_taken_out_is_in_no_byte_of_the_file(tmp_path: Path, sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)
    await store.open()
    for number in range(60):
        async with store.write() as tx:
            await tx.corpora.add(TURNS, [said(number, f"cats in zanzibar{number}")])
    async with store.write() as tx:
        await tx.corpora.remove(TURNS, range(0, 60, 2))
        await tx.corpora.add(TURNS, [said(number, "quiet") for number in range(1, 60, 2)])

    await store.close()

    content = (tmp_path / "baku.db").read_bytes()
    assert b"zanzibar" not in content
    assert b"quiet" in content


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("UPDATE corpus_blocks SET packed = {empty}", id="documents empty"),
        pytest.param("UPDATE corpus_blocks SET packed = {junk}", id="documents junk"),
        pytest.param("DELETE FROM corpus_blocks", id="documents gone"),
        pytest.param("UPDATE corpus_blocks SET block = 7", id="documents elsewhere"),
        pytest.param("UPDATE corpora SET people = '[]'", id="people gone"),
        pytest.param("UPDATE corpus_postings SET packed = {empty}", id="postings empty"),
        pytest.param("UPDATE corpus_postings SET packed = {junk}", id="postings junk"),
        pytest.param("UPDATE corpus_postings SET block = 7", id="postings elsewhere"),
        pytest.param("UPDATE corpus_vectors SET packed = {empty}", id="vectors empty"),
        pytest.param("UPDATE corpus_vectors SET packed = {junk}", id="vectors junk"),
        pytest.param("UPDATE corpus_vectors SET known = {junk}", id="vectors more"),
        pytest.param("UPDATE corpus_vectors SET block = 7", id="vectors elsewhere"),
    ],
)
async def test_bytes_that_nobody_wrote_so_are_called_damage(store_url: str, store: SqlStore, statement: str) -> None:
    await fill(store, 3)
    of_sqlite = store_url.startswith("sqlite")
    empty, junk = ("x''", "x'0102030405'") if of_sqlite else ("''::bytea", "'\\x0102030405'::bytea")
    change(store_url, statement.format(empty=empty, junk=junk))

    with pytest.raises(StoreDamaged, match="What search reads of a conversation is damaged"):
        await search(store)


async def test_a_conversation_costs_nothing_to_another(store: SqlStore) -> None:
    async with store.write() as tx:
        await tx.corpora.add(TURNS, [said(number) for number in range(20)])
        await tx.corpora.put_vectors(TURNS, "e", range(20), vectors(20))
    alone = await search(store)

    async with store.write() as tx:
        other = CorpusKey(GROUP)
        await tx.corpora.add(other, [Document(number, "cat dog", BO, START + timedelta(days=number)) for number in range(500)])
        await tx.corpora.put_vectors(other, "e", range(500), vectors(500, seed=1))

    assert await search(store) == alone


def read_rows(url: str) -> list[tuple[object, ...]]:
    """Return all rows of the corpus tables."""
    with connected(url) as connection:
        return [tuple(row) for table in CORPUS_TABLES for row in connection.execute(text(f"SELECT * FROM {table}"))]


def vectors_of(exact: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> bytes:
    """Return a vector as it is kept."""
    return bytes(np.rint(exact / np.abs(exact).max() * 127).astype(np.int8).tobytes())
