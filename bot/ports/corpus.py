"""What search reads: the documents of a conversation as arrays, the postings of words, and likenesses of meaning."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bot.domain.message import Person
from bot.domain.past import CorpusKey, Document
from bot.ports.embedder import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """All documents of a corpus, in the order of their ids; a document's place is its index here."""

    ids: npt.NDArray[np.int64]
    times: npt.NDArray[np.int64]
    """Seconds since 1970."""
    speakers: npt.NDArray[np.int32]
    """Indexes into `people`."""
    lengths: npt.NDArray[np.int32]
    """How many terms a document has, repeats counted."""
    of_persona: npt.NDArray[np.bool_]
    people: tuple[Person, ...]
    """Everybody who speaks here, each under the name borne last."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Where a term stands."""

    places: npt.NDArray[np.int64]
    """Rising places in `Documents`."""
    counts: npt.NDArray[np.int32]
    """How often it stands there."""


@dataclass(frozen=True, slots=True, eq=False)
class Likenesses:
    """How near each document's meaning is to that of a question."""

    cosines: npt.NDArray[np.float32]
    """-1..1, one a document; 0 where nothing is known. Never NaN."""
    known: npt.NDArray[np.bool_]
    """Which documents have a vector of that embedder."""


class Corpora(Protocol):
    """The documents that search can find, walled by conversation: every call names the corpus."""

    async def documents(self, key: CorpusKey) -> Documents:
        """Return all documents of a corpus. Served from a bounded cache while nothing has changed."""
        ...

    async def postings(self, key: CorpusKey, terms: Collection[str]) -> Mapping[str, Postings]:
        """Return where the terms stand; those that stand nowhere are left out. Reads no more than that."""
        ...

    async def likenesses(self, key: CorpusKey, query: Vectors, *, embedder: str) -> Likenesses:
        """Return the cosine of a question's vector, one row, with each document's vector of that embedder."""
        ...

    async def add(self, key: CorpusKey, documents: Sequence[Document]) -> None:
        """Make documents findable by their words; one whose id is known is replaced. Ids need not rise."""
        ...

    async def put_vectors(self, key: CorpusKey, embedder: str, ids: Sequence[int], vectors: Vectors) -> None:
        """Keep the vectors of documents, which replace those of any other embedder; ids that are unknown are left out."""
        ...

    async def without_vectors(self, key: CorpusKey, embedder: str, *, limit: int) -> Sequence[int]:
        """Return ids of documents that have no vector of that embedder, the newest first."""
        ...

    async def remove(self, key: CorpusKey, ids: Collection[int]) -> int:
        """Take documents, their words and their vectors out of every table; return how many were there."""
        ...

    async def clear(self, key: CorpusKey) -> None:
        """Take all documents of a corpus out."""
        ...
