"""A question's vector, in time or not at all."""

import asyncio
from dataclasses import dataclass

import structlog

from bot.errors import EmbedderUnavailable
from bot.memory.search.standing import REFERENCES, Background, background
from bot.ports.embedder import Embedder, Vectors

PATIENCE = 1.5
"""Seconds that an answer waits for a vector."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Sense:
    """What a question means to an embedder."""

    vector: Vectors
    """One row."""
    embedder: str
    background: Background | None
    """How near it is to everyday sentences; None while these have no vectors yet."""


class Meaning:
    """Embeds questions before an answer."""

    def __init__(self, embedder: Embedder | None, *, patience: float = PATIENCE) -> None:
        """Take the embedder, or None to search by words alone."""
        self._embedder = embedder
        self._patience = patience
        self._references: Vectors | None = None

    async def prepare(self) -> None:
        """Embed everyday sentences, to which questions are compared. Call it in the background at the start."""
        if self._embedder is None:
            return
        try:
            self._references = await self._embedder.passages(REFERENCES)
        except EmbedderUnavailable as problem:
            log.warning("embedder_unavailable", embedder=self._embedder.name, problem=type(problem).__name__)

    async def of(self, text: str) -> Sense | None:
        """Return what a text means; None when there is no embedder, or it does not answer in time."""
        if self._embedder is None or not text.strip():
            return None
        try:
            async with asyncio.timeout(self._patience):
                vector = await self._embedder.queries([text])
        except TimeoutError:
            # Usual while the model still loads.
            log.info("searching_by_words_alone", embedder=self._embedder.name, waited=self._patience)
            return None
        except EmbedderUnavailable as problem:
            log.warning("searching_by_words_alone", embedder=self._embedder.name, problem=type(problem).__name__)
            return None
        known = None if self._references is None else background(vector, self._references)
        return Sense(vector, self._embedder.name, known)
