"""Vectors without a model: texts lie near each other when they share words or pieces of words."""

import asyncio
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

from bot.domain.terms import terms
from bot.llm.embedders.vectors import readable, unit_length
from bot.ports.embedder import Vectors

LONGEST = 20_000
"""Characters of a text that are read."""
_AT_ONCE = 16
"""Texts before the event loop gets its turn."""
_PIECE_WEIGHT = 0.3


class HashingEmbedder:
    """An Embedder that is the same in every process and needs nothing. It knows no meanings, so tests are what it is for."""

    def __init__(self, size: int = 512) -> None:
        self._size = size

    @property
    def name(self) -> str:
        """Return its version and size."""
        return f"hashing@1-{self._size}"

    @property
    def size(self) -> int:
        """Return how many numbers a vector has."""
        return self._size

    def warm_up(self) -> None:
        """Do nothing: it is ready."""

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each question."""
        return await self.passages(texts)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text."""
        rows = np.zeros((len(texts), self._size))
        for number, text in enumerate(texts):
            for feature, weight in _features(readable(text, LONGEST)):
                place, sign = self._place(feature)
                rows[number, place] += sign * weight
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
        return unit_length(rows)

    async def close(self) -> None:
        """Do nothing: it holds nothing."""

    def _place(self, feature: str) -> tuple[int, float]:
        number = int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "little")
        return (number >> 1) % self._size, 1.0 if number & 1 else -1.0


def _features(text: str) -> Iterator[tuple[str, float]]:
    for term in sorted(terms(text)):
        yield term, 1.0
        marked = f"^{term}$"
        for start in range(len(marked) - 2):
            yield f"{marked[start : start + 3]}…", _PIECE_WEIGHT
