"""What search reads of a conversation."""

import asyncio
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from bot.domain.past import CorpusKey, Document
from bot.domain.terms import term_counts
from bot.ports.corpus import Documents, Likenesses, Postings
from bot.ports.embedder import Vectors
from bot.storage.sql.corpus.blocks import clear_blocks, read_slots, write_blocks
from bot.storage.sql.corpus.cache import CorpusCache
from bot.storage.sql.corpus.slots import (
    BLOCK,
    OF_PERSONA,
    RECORD,
    USED,
    Records,
    Slots,
    SlotTable,
    by_block,
    enrolled,
    still_speaking,
    table_of,
)
from bot.storage.sql.corpus.state import CorpusState, Speakers, damaged, find_corpus, keep_speakers, keep_state, open_corpus
from bot.storage.sql.corpus.vector_rows import (
    READ_AT_ONCE,
    clear_vectors,
    forget_vectors,
    put_vectors,
    read_blocks,
    read_vectors,
    which_have_vectors,
)
from bot.storage.sql.corpus.vectors import Comparison, VectorTable, quantised
from bot.storage.sql.corpus.words import add_words, clear_words, find_words, forget_words
from bot.storage.sql.session import SqlSession

_ADDED_AT_ONCE = 256
_NOTHING = table_of(CorpusState(id=0, slots=0, version=0, changes=0), np.zeros(0, dtype=RECORD), ())
_LARGE = 8 * 2**20
"""Bytes of vectors that are compared in a thread, so that nobody waits for them meanwhile."""


class SqlCorpora:
    """Fulfils `bot.ports.corpus.Corpora`.

    What a transaction has changed it reads by itself, and nothing of it gets into the cache that others share.
    """

    def __init__(self, sql: SqlSession, cache: CorpusCache) -> None:
        self._sql = sql
        self._cache = cache
        self._states: dict[CorpusKey, CorpusState | None] = {}
        self._tables: dict[int, SlotTable] = {}
        self._changed: set[int] = set()

    async def documents(self, key: CorpusKey) -> Documents:
        """Return all documents."""
        return (await self._table(await self._state(key))).documents

    async def postings(self, key: CorpusKey, terms: Collection[str]) -> Mapping[str, Postings]:
        """Return where terms stand."""
        state = await self._state(key)
        if state is None or not terms:
            return {}
        table = await self._table(state)
        return {term: _placed(table, slots, counts) for term, (slots, counts) in (await find_words(self._sql, state, terms)).items()}

    async def likenesses(self, key: CorpusKey, query: Vectors, *, embedder: str) -> Likenesses:
        """Return how near a question is to each document."""
        state = await self._state(key)
        table = await self._table(state)
        if query.ndim != 2 or query.shape[0] != 1:
            raise ValueError(f"A question is one vector in one row, not an array of the shape {query.shape}.")
        comparison = Comparison(query, embedder, slots=0 if state is None else state.slots)
        if state is not None:
            await self._compare(state, comparison, needed=state.slots * query.shape[1])
        return comparison.likenesses(table.order)

    async def add(self, key: CorpusKey, documents: Sequence[Document]) -> None:
        """Make documents findable; of two with one id the later one stays."""
        last = list({document.id: document for document in documents}.values())
        for start in range(0, len(last), _ADDED_AT_ONCE):
            await self._add(key, last[start : start + _ADDED_AT_ONCE])

    async def put_vectors(self, key: CorpusKey, embedder: str, ids: Sequence[int], vectors: Vectors) -> None:
        """Keep the vectors of documents."""
        if vectors.ndim != 2 or vectors.shape[0] != len(ids):
            raise ValueError(f"{len(ids)} documents need as many vectors, a row each, not an array of the shape {vectors.shape}.")
        state = await self._state(key)
        slots = (await self._table(state)).slots_of(ids)
        known = slots >= 0
        if state is None or not known.any():
            return
        changed = state.changed()
        await put_vectors(self._sql, changed, embedder, slots[known], quantised(vectors[known]))
        await self._keep(key, changed)

    async def without_vectors(self, key: CorpusKey, embedder: str, *, limit: int) -> Sequence[int]:
        """Return documents that are to be embedded."""
        state = await self._state(key)
        if state is None:
            return []
        table = await self._table(state)
        having = await which_have_vectors(self._sql, state, embedder)
        ids: list[int] = table.documents.ids[~having[table.order]][::-1][:limit].tolist()
        return ids

    async def remove(self, key: CorpusKey, ids: Collection[int]) -> int:
        """Take documents out."""
        state = await self._state(key)
        table = await self._table(state)
        slots = np.unique(table.slots_of(list(ids)))
        slots = slots[slots >= 0]
        if state is None or not slots.size:
            return 0
        changed = state.changed()
        records = table.records.copy()
        records[slots] = np.zeros(1, dtype=RECORD)
        await self._forget(changed, slots)
        await write_blocks(self._sql, changed, records, by_block(slots))
        await self._keep_speakers(changed, table.speakers, tuple(still_speaking(records, table.speakers)))
        await self._keep(key, changed)
        return int(slots.size)

    async def clear(self, key: CorpusKey) -> None:
        """Take all documents out."""
        state = await self._state(key)
        if state is None:
            return
        await clear_words(self._sql, state.id)
        await clear_vectors(self._sql, state.id)
        await clear_blocks(self._sql, state.id)
        await keep_speakers(self._sql, state.id, ())
        await self._keep(key, state.emptied())

    async def _add(self, key: CorpusKey, documents: Sequence[Document]) -> None:
        state = await self._opened(key)
        table = await self._table(state)
        slots = table.slots_of([document.id for document in documents])
        fresh = slots < 0
        changed = state.changed(more_slots=int(fresh.sum()))
        if not fresh.all():
            await self._forget(changed, slots[~fresh])
        slots[fresh] = np.arange(state.slots, changed.slots)
        counted = [term_counts(document.text) for document in documents]
        speakers, indexes = enrolled(table, [(document.speaker, _second(document)) for document in documents])
        records = np.zeros(changed.slots, dtype=RECORD)
        records[: state.slots] = table.records
        records[slots] = _records(documents, indexes, [counts.total() for counts in counted])
        await write_blocks(self._sql, changed, records, by_block(slots))
        await add_words(self._sql, changed, zip(slots.tolist(), counted, strict=True))
        await self._keep_speakers(changed, table.speakers, tuple(speakers))
        await self._keep(key, changed)

    async def _forget(self, state: CorpusState, slots: Slots) -> None:
        await forget_words(self._sql, state, slots)
        await forget_vectors(self._sql, state, slots)

    async def _compare(self, state: CorpusState, comparison: Comparison, *, needed: int) -> None:
        if needed > self._cache.limit:
            for first in range(0, -(-state.slots // BLOCK), READ_AT_ONCE):
                blocks = VectorTable(state, await read_blocks(self._sql, state, first))
                await asyncio.to_thread(comparison.add_all, blocks)
            return
        vectors = await read_vectors(self._sql, state, self._cache.vectors(state.id))
        if state.id not in self._changed:
            self._cache.keep(vectors)
        if needed > _LARGE:
            await asyncio.to_thread(comparison.add_all, vectors)
        else:
            comparison.add_all(vectors)

    async def _state(self, key: CorpusKey) -> CorpusState | None:
        """Return the state of a corpus, which stays until the end of this transaction unless this transaction changes it."""
        if key not in self._states:
            await self._sql.hold(f"corpus {key.kind} {key.conversation}")
            self._states[key] = await find_corpus(self._sql, key)
        return self._states[key]

    async def _opened(self, key: CorpusKey) -> CorpusState:
        state = await self._state(key)
        if state is None:
            state = self._states[key] = await open_corpus(self._sql, key)
            self._changed.add(state.id)
        return state

    async def _table(self, state: CorpusState | None) -> SlotTable:
        if state is None:
            return _NOTHING
        table = await read_slots(self._sql, state, self._tables.get(state.id) or self._cache.slots(state.id))
        self._tables[state.id] = table
        if state.id not in self._changed:
            self._cache.keep(table)
        return table

    async def _keep(self, key: CorpusKey, state: CorpusState) -> None:
        await keep_state(self._sql, state)
        self._states[key] = state
        self._changed.add(state.id)

    async def _keep_speakers(self, state: CorpusState, before: Speakers, after: Speakers) -> None:
        if before != after:
            await keep_speakers(self._sql, state.id, after)


def _placed(table: SlotTable, slots: Slots, counts: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Postings:
    places = table.places[slots]
    if places.size and places.min() < 0:
        raise damaged(table.state.id, "the postings of a word")
    if (places[1:] > places[:-1]).all():
        return Postings(places, counts)
    order = np.argsort(places)
    return Postings(places[order], counts[order])


def _records(documents: Sequence[Document], speakers: Sequence[int], lengths: Sequence[int]) -> Records:
    records = np.zeros(len(documents), dtype=RECORD)
    records["id"] = [document.id for document in documents]
    records["at"] = [_second(document) for document in documents]
    records["speaker"] = speakers
    records["length"] = lengths
    records["flags"] = [USED | OF_PERSONA if document.of_persona else USED for document in documents]
    return records


def _second(document: Document) -> int:
    return int(document.at.timestamp() // 1)
