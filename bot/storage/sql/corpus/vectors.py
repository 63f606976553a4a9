"""Vectors as whole numbers of a byte: how they are packed, and how near they are to a question's."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.ports.corpus import Likenesses
from bot.ports.embedder import Vectors
from bot.storage.sql.corpus.slots import BLOCK, Slots
from bot.storage.sql.corpus.state import CorpusState, damaged

_LARGEST: Final = 127
_FORMAT = b"\x01"
_INVERSE = np.dtype("<f4")


@dataclass(frozen=True, slots=True, eq=False)
class Quantised:
    """Vectors, a byte a number: all that is left of a vector is where it points."""

    numbers: npt.NDArray[np.int8]
    """A vector a row."""
    inverse: npt.NDArray[np.float32]
    """1 through the length of each row of `numbers`; 0 for a vector that points nowhere."""


@dataclass(frozen=True, slots=True, eq=False)
class VectorBlock:
    """The vectors of a block's first documents."""

    embedder: str
    known: npt.NDArray[np.bool_]
    """Which of the documents have one."""
    vectors: Quantised

    @property
    def size(self) -> int:
        """Numbers a vector has."""
        return int(self.vectors.numbers.shape[1])

    @property
    def size_bytes(self) -> int:
        """What it takes in memory."""
        return self.vectors.numbers.nbytes + self.vectors.inverse.nbytes + self.known.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class VectorTable:
    """All vectors of a corpus in one state, by block."""

    state: CorpusState
    blocks: Mapping[int, VectorBlock]

    @property
    def size_bytes(self) -> int:
        """What it takes in memory."""
        return sum(block.size_bytes for block in self.blocks.values())


def quantised(vectors: Vectors) -> Quantised:
    """Return vectors of any length, a byte a number. Those that are no numbers point nowhere."""
    exact = np.asarray(vectors, dtype=np.float64)
    exact = np.where(np.isfinite(exact).all(axis=1, keepdims=True), exact, 0.0)
    largest = np.abs(exact).max(axis=1, keepdims=True, initial=0.0)
    numbers = np.rint(exact / np.where(largest > 0, largest, 1.0) * _LARGEST).astype(np.int8)
    lengths = np.sqrt(np.square(numbers, dtype=np.float64).sum(axis=1))
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return Quantised(numbers, inverse.astype(np.float32))


def packed_vectors(vectors: Quantised) -> bytes:
    """Return vectors as they are kept."""
    return _FORMAT + vectors.inverse.astype(_INVERSE).tobytes() + vectors.numbers.tobytes()


def unpacked_block(state: CorpusState, embedder: str, size: int, known: bytes, packed: bytes) -> VectorBlock:
    """Return what a row holds."""
    count = len(known)
    if packed[:1] != _FORMAT or size < 0 or not 0 < count <= BLOCK or len(packed) != 1 + count * (_INVERSE.itemsize + size):
        raise damaged(state.id, "a block of vectors")
    inverse = np.frombuffer(packed, dtype=_INVERSE, count=count, offset=1)
    numbers = np.frombuffer(packed, dtype=np.int8, offset=1 + count * _INVERSE.itemsize).reshape(count, size)
    if not np.isfinite(inverse).all():
        raise damaged(state.id, "a block of vectors")
    return VectorBlock(embedder, known_of(known), Quantised(numbers, inverse.astype(np.float32)))


def known_of(known: bytes) -> npt.NDArray[np.bool_]:
    """Return which documents of a block have a vector."""
    return np.frombuffer(known, dtype=np.uint8).astype(np.bool_)


def with_vectors(block: VectorBlock | None, embedder: str, offsets: Slots, vectors: Quantised) -> VectorBlock:
    """Return a block with further vectors; what it had of another embedder is left out."""
    size = vectors.numbers.shape[1]
    kept = block if block is not None and block.embedder == embedder and block.size == size else None
    numbers, inverse, known = _grown(kept, int(offsets.max()) + 1, size)
    numbers[offsets], inverse[offsets], known[offsets] = vectors.numbers, vectors.inverse, True
    return VectorBlock(embedder, known, Quantised(numbers, inverse))


def without_vectors(block: VectorBlock, offsets: Slots) -> VectorBlock:
    """Return a block in which some documents have no vector."""
    here = offsets[offsets < block.known.size]
    numbers, inverse, known = block.vectors.numbers.copy(), block.vectors.inverse.copy(), block.known.copy()
    numbers[here], inverse[here], known[here] = 0, 0.0, False
    return replace(block, known=known, vectors=Quantised(numbers, inverse))


def _grown(block: VectorBlock | None, count: int, size: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    had = 0 if block is None else block.known.size
    length = max(count, had)
    numbers = np.zeros((length, size), dtype=np.int8)
    inverse, known = np.zeros(length, dtype=np.float32), np.zeros(length, dtype=np.bool_)
    if block is not None:
        numbers[:had], inverse[:had], known[:had] = block.vectors.numbers, block.vectors.inverse, block.known
    return numbers, inverse, known


class Comparison:
    """Compares a question's vector with blocks, one after the other.

    The question is made as coarse as what it is compared with: so an equal vector has a cosine of 1, to the last bits of a float.
    """

    def __init__(self, query: Vectors, embedder: str, *, slots: int) -> None:
        question = quantised(query)
        self._embedder = embedder
        self._question = question.numbers[0].astype(np.float32)
        self._inverse = question.inverse[0]
        self._scratch = np.empty((BLOCK, self._question.size), dtype=np.float32)
        self._cosines = np.zeros(slots, dtype=np.float32)
        self._known = np.zeros(slots, dtype=np.bool_)

    def add_all(self, table: VectorTable) -> None:
        """Compare with all blocks, those of another embedder left out."""
        for number, block in table.blocks.items():
            self._add(number, block)

    def likenesses(self, order: Slots) -> Likenesses:
        """Return what came out, in an order of slots."""
        cosines = self._cosines[order] * self._inverse
        return Likenesses(np.clip(cosines, -1.0, 1.0, out=cosines), self._known[order])

    def _add(self, number: int, block: VectorBlock) -> None:
        if block.embedder != self._embedder or block.size != self._question.size:
            return
        start, count = number * BLOCK, block.known.size
        exact, cosines = self._scratch[:count], self._cosines[start : start + count]
        np.copyto(exact, block.vectors.numbers)  # a piece that stays in the processor's cache
        np.dot(exact, self._question, out=cosines)
        cosines *= block.vectors.inverse
        self._known[start : start + count] = block.known
