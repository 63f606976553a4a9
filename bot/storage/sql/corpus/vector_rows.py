"""The rows of vectors: read as far as they have changed, and written."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from sqlalchemy import Executable, bindparam, delete, select

from bot.storage.sql.corpus.slots import BLOCK, Slots, by_block
from bot.storage.sql.corpus.state import CorpusState, damaged
from bot.storage.sql.corpus.vectors import (
    Quantised,
    VectorBlock,
    VectorTable,
    known_of,
    packed_vectors,
    unpacked_block,
    with_vectors,
    without_vectors,
)
from bot.storage.sql.past_tables import CorpusVectorRow
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of

READ_AT_ONCE = 64
"""Blocks, of 64 KiB each where vectors have 512 numbers."""
_NONE = -1
_VECTORS = table_of(CorpusVectorRow)
_COLUMN = _VECTORS.c
_IS_CORPUS = _COLUMN.corpus_id == bindparam("corpus")
_BLOCK = select(_COLUMN.block, _COLUMN.embedder, _COLUMN.size, _COLUMN.known, _COLUMN.packed)

_CHANGED = _BLOCK.where(_IS_CORPUS, _COLUMN.change > bindparam("since"))
_BETWEEN = _BLOCK.where(_IS_CORPUS, _COLUMN.block >= bindparam("first"), _COLUMN.block < bindparam("end"))
_SOME = _BLOCK.where(_IS_CORPUS, _COLUMN.block.in_(bindparam("blocks", expanding=True)))
_KNOWN = select(_COLUMN.block, _COLUMN.known).where(_IS_CORPUS, _COLUMN.embedder == bindparam("of_embedder"))
_CLEAR = delete(_VECTORS).where(_IS_CORPUS)


async def read_vectors(sql: SqlSession, state: CorpusState, known: VectorTable | None) -> VectorTable:
    """Return the vectors in a state. Of what was known in an earlier one only the changes are read."""
    base = known if known is not None and state.follows(known.state) else None
    if base is not None and base.state == state:
        return base
    rows = await sql.rows(_CHANGED, {"corpus": state.id, "since": _NONE if base is None else base.state.changes})
    return VectorTable(state, {**({} if base is None else base.blocks), **_blocks(state, rows)})


async def read_blocks(sql: SqlSession, state: CorpusState, first: int) -> Mapping[int, VectorBlock]:
    """Return the blocks from `first` on, as many as are read at once."""
    return _blocks(state, await sql.rows(_BETWEEN, {"corpus": state.id, "first": first, "end": first + READ_AT_ONCE}))


async def which_have_vectors(sql: SqlSession, state: CorpusState, embedder: str) -> npt.NDArray[np.bool_]:
    """Return which slots have a vector of an embedder."""
    having = np.zeros(state.slots, dtype=np.bool_)
    for block, known in await sql.rows(_KNOWN, {"corpus": state.id, "of_embedder": embedder}):
        _check(state, block, len(known))
        having[block * BLOCK : block * BLOCK + len(known)] = known_of(known)
    return having


async def put_vectors(sql: SqlSession, state: CorpusState, embedder: str, slots: Slots, vectors: Quantised) -> None:
    """Store the vectors of documents."""
    places = by_block(slots)
    for some in _batches(sorted(places)):
        known = await _read_some(sql, state, some)
        await _write(
            sql,
            state,
            {
                block: with_vectors(known.get(block), embedder, slots[places[block]] - block * BLOCK, _taken(vectors, places[block]))
                for block in some
            },
        )


async def forget_vectors(sql: SqlSession, state: CorpusState, slots: Slots) -> None:
    """Take the vectors of documents out."""
    places = by_block(slots)
    for some in _batches(sorted(places)):
        known = await _read_some(sql, state, some)
        await _write(
            sql, state, {number: without_vectors(block, slots[places[number]] - number * BLOCK) for number, block in known.items()}
        )


async def clear_vectors(sql: SqlSession, corpus_id: int) -> None:
    """Delete all vectors."""
    await sql.run(_CLEAR, {"corpus": corpus_id})


async def _read_some(sql: SqlSession, state: CorpusState, blocks: Sequence[int]) -> dict[int, VectorBlock]:
    return _blocks(state, await sql.rows(_SOME, {"corpus": state.id, "blocks": blocks}))


async def _write(sql: SqlSession, state: CorpusState, blocks: Mapping[int, VectorBlock]) -> None:
    rows = [
        {
            "corpus_id": state.id,
            "block": number,
            "change": state.changes,
            "embedder": block.embedder,
            "size": block.size,
            "known": block.known.astype(np.uint8).tobytes(),
            "packed": packed_vectors(block.vectors),
        }
        for number, block in blocks.items()
    ]
    if rows:
        await sql.run(_writing(sql.dialect), rows)


def _blocks(state: CorpusState, rows: Iterable[Fields]) -> dict[int, VectorBlock]:
    blocks: dict[int, VectorBlock] = {}
    for number, embedder, size, known, packed in rows:
        _check(state, number, len(known))
        blocks[number] = unpacked_block(state, embedder, size, known, packed)
    return blocks


def _check(state: CorpusState, block: int, count: int) -> None:
    if not 0 <= block * BLOCK < block * BLOCK + count <= state.slots:
        raise damaged(state.id, f"vectors of block {block}")


def _taken(vectors: Quantised, places: npt.NDArray[np.intp]) -> Quantised:
    return Quantised(vectors.numbers[places], vectors.inverse[places])


def _batches(blocks: Sequence[int]) -> Iterable[Sequence[int]]:
    return (blocks[start : start + READ_AT_ONCE] for start in range(0, len(blocks), READ_AT_ONCE))


@cache
def _writing(dialect: str) -> Executable:
    insert = insert_into(_VECTORS, dialect)
    renewed = {name: insert.excluded[name] for name in ("change", "embedder", "size", "known", "packed")}
    return insert.on_conflict_do_update(index_elements=["corpus_id", "block"], set_=renewed)
