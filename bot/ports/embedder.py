"""Embedding models: texts as vectors that lie near each other when the texts mean the same."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors: TypeAlias = npt.NDArray[np.float32]
"""One text a row, each row of length 1, or of length 0 for a text that means nothing to the model."""


class Embedder(Protocol):
    """Embeds texts. Never blocks the event loop. Raises `EmbedderUnavailable` when the model gives no vectors.

    Vectors of different `name`s are never compared.
    """

    @property
    def name(self) -> str:
        """The model with its version, such as `use-multilingual@3`; it stands with each stored vector."""
        ...

    @property
    def size(self) -> int:
        """Numbers a vector has; 0 while that is not known yet."""
        ...

    def warm_up(self) -> None:
        """Begin to load what it needs, in the background. Without this it loads with the first text."""
        ...

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each question."""
        ...

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text that is to be found."""
        ...

    async def close(self) -> None:
        """Free its threads and connections."""
        ...
