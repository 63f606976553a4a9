"""The postings of a corpus: for each term the slots where it stands, packed in rows of some thousand slots."""

import struct
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from sqlalchemy import Executable, bindparam, delete, select

from bot.domain.text import storable
from bot.storage.sql.corpus.slots import Slots
from bot.storage.sql.corpus.state import CorpusState, damaged
from bot.storage.sql.past_tables import CorpusPostingRow
from bot.storage.sql.session import SqlSession, insert_into, table_of

SPAN: Final = 4096
"""Slots of a row."""
_MOST_TERMS = 500
"""So many terms stand in one statement."""
_FORMAT = b"\x01"
_ENTRY = np.dtype([("offset", "<u2"), ("count", "u1")])
_PACKED_ENTRY = struct.Struct("<HB")
_MOST_COUNTED = 255

Found: TypeAlias = tuple[Slots, npt.NDArray[np.int32]]
"""Rising slots, and how often a term stands in each."""

_POSTINGS = table_of(CorpusPostingRow)
_COLUMN = _POSTINGS.c
_IS_CORPUS = _COLUMN.corpus_id == bindparam("corpus")
_HAS_TERM = _COLUMN.term.in_(bindparam("terms", expanding=True))
_OF_TERMS = select(_COLUMN.term, _COLUMN.block, _COLUMN.packed).where(_IS_CORPUS, _HAS_TERM).order_by(_COLUMN.term, _COLUMN.block)
_IN_SPAN = select(_COLUMN.term, _COLUMN.packed).where(_IS_CORPUS, _HAS_TERM, _COLUMN.block == bindparam("span"))
_SPAN = select(_COLUMN.term, _COLUMN.packed).where(_IS_CORPUS, _COLUMN.block == bindparam("span"))
_DROP = delete(_POSTINGS).where(_IS_CORPUS, _COLUMN.term == bindparam("gone"), _COLUMN.block == bindparam("span"))
_CLEAR = delete(_POSTINGS).where(_IS_CORPUS)


async def find_words(sql: SqlSession, state: CorpusState, terms: Collection[str]) -> dict[str, Found]:
    """Return where the terms stand, those left out that stand nowhere."""
    rows = defaultdict[str, list[tuple[int, bytes]]](list)
    for some in _batches(sorted(term for term in set(terms) if storable(term) == term)):
        for term, span, packed in await sql.rows(_OF_TERMS, {"corpus": state.id, "terms": some}):
            rows[term].append((span, packed))
    return {term: _unpacked(state, spans) for term, spans in rows.items()}


async def add_words(sql: SqlSession, state: CorpusState, counted: Iterable[tuple[int, Mapping[str, int]]]) -> None:
    """Store the terms of documents, which have none yet, by slot."""
    fresh: dict[int, dict[str, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for slot, counts in counted:
        span, offset = divmod(slot, SPAN)
        for term, count in counts.items():
            fresh[span][term][offset] = min(count, _MOST_COUNTED)
    for span, entries in fresh.items():
        known: dict[str, bytes] = {}
        for some in _batches(sorted(entries)):
            known.update((row.term, row.packed) for row in await sql.rows(_IN_SPAN, {"corpus": state.id, "terms": some, "span": span}))
        rows = [_row(state, span, term, _joined(state, known.get(term, _FORMAT), added)) for term, added in sorted(entries.items())]
        if rows:
            await sql.run(_writing(sql.dialect), rows)


async def forget_words(sql: SqlSession, state: CorpusState, slots: Slots) -> None:
    """Take documents out of the postings of every term."""
    for span in np.unique(slots // SPAN).tolist():
        is_gone = np.zeros(2**16, dtype=np.bool_)
        is_gone[slots[slots // SPAN == span] - span * SPAN] = True
        rows = [(term, packed) for term, packed in await sql.rows(_SPAN, {"corpus": state.id, "span": span})]
        left = dict(_without(state, rows, is_gone))
        kept = [_row(state, span, term, _FORMAT + packed) for term, packed in left.items() if packed]
        gone = [{"corpus": state.id, "gone": term, "span": span} for term, packed in left.items() if not packed]
        if kept:
            await sql.run(_writing(sql.dialect), kept)
        if gone:
            await sql.run(_DROP, gone)


async def clear_words(sql: SqlSession, corpus_id: int) -> None:
    """Delete all postings."""
    await sql.run(_CLEAR, {"corpus": corpus_id})


def _row(state: CorpusState, span: int, term: str, packed: bytes) -> dict[str, object]:
    return {"corpus_id": state.id, "term": term, "block": span, "packed": packed}


def _entries(state: CorpusState, packed: bytes) -> npt.NDArray[np.void]:
    _check(state, packed)
    return np.frombuffer(packed, dtype=_ENTRY, offset=1)


def _check(state: CorpusState, packed: bytes) -> None:
    if packed[:1] != _FORMAT or (len(packed) - 1) % _ENTRY.itemsize:
        raise damaged(state.id, "the postings of a word")


def _unpacked(state: CorpusState, spans: Sequence[tuple[int, bytes]]) -> Found:
    entries, sizes = _joined_rows(state, [packed for _, packed in spans])
    slots = entries["offset"].astype(np.int64)
    slots += np.repeat([span * SPAN for span, _ in spans], sizes)
    if slots.size and not ((slots[1:] > slots[:-1]).all() and slots[-1] < state.slots):
        raise damaged(state.id, "the postings of a word")
    return slots, entries["count"].astype(np.int32)


def _joined(state: CorpusState, packed: bytes, added: Mapping[int, int]) -> bytes:
    _check(state, packed)
    last = int.from_bytes(packed[-3:-1], "little") if len(packed) > 1 else -1
    ordered = sorted(added.items())
    if ordered[0][0] > last:
        return packed + b"".join(_PACKED_ENTRY.pack(*entry) for entry in ordered)
    merged = {**dict(_entries(state, packed).tolist()), **added}
    return _FORMAT + b"".join(_PACKED_ENTRY.pack(*entry) for entry in sorted(merged.items()))


def _without(state: CorpusState, rows: Sequence[tuple[str, bytes]], is_gone: npt.NDArray[np.bool_]) -> Iterable[tuple[str, bytes]]:
    """Yield the terms that have entries which go, each with what is left. All rows are looked through at once: they are thousands."""
    entries, sizes = _joined_rows(state, [packed for _, packed in rows])
    hits = is_gone[entries["offset"]]
    ends = np.cumsum(sizes)
    so_far = np.concatenate([[0], np.cumsum(hits)])
    for index in np.flatnonzero(so_far[ends] > so_far[ends - sizes]).tolist():
        own = slice(ends[index] - sizes[index], ends[index])
        yield rows[index][0], entries[own][~hits[own]].tobytes()


def _joined_rows(state: CorpusState, rows: Sequence[bytes]) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int64]]:
    """Return the entries of all rows, and how many each has."""
    for packed in rows:
        _check(state, packed)
    entries = np.frombuffer(b"".join(packed[1:] for packed in rows), dtype=_ENTRY)
    return entries, np.array([len(packed) // _ENTRY.itemsize for packed in rows], dtype=np.int64)


def _batches(terms: Sequence[str]) -> Iterable[Sequence[str]]:
    return (terms[start : start + _MOST_TERMS] for start in range(0, len(terms), _MOST_TERMS))


@cache
def _writing(dialect: str) -> Executable:
    insert = insert_into(_POSTINGS, dialect)
    return insert.on_conflict_do_update(index_elements=["corpus_id", "term", "block"], set_={"packed": insert.excluded.packed})
