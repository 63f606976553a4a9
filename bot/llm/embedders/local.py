"""Vectors by a model in this process, in a thread of its own."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from typing import Protocol
from zipfile import BadZipFile

import numpy as np
import structlog

from bot.errors import EmbedderUnavailable
from bot.llm.embedders.packages import ModelPackage
from bot.llm.embedders.vectors import readable, unit_length
from bot.ports.embedder import Vectors

log = structlog.get_logger(__name__)


class LocalModel(Protocol):
    """A loaded model, used by one thread only. The module that loads it has a `load()`."""

    def embed(self, texts: Sequence[str], *, as_queries: bool) -> Vectors:
        """Return a vector for each text, of any length."""
        ...


class LocalEmbedder:
    """An Embedder with the model of a package; it is loaded once, by the first who needs it.

    Texts go to the thread a few at a time, so that a question need not wait until thousands of passages are done.
    """

    def __init__(self, package: ModelPackage) -> None:
        self._package = package
        self._name = package.full_name
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embeds")
        self._model: Future[LocalModel | None] | None = None

    @property
    def name(self) -> str:
        """Return the model and its package's version."""
        return self._name

    @property
    def size(self) -> int:
        """Return how many numbers a vector has."""
        return self._package.size

    def warm_up(self) -> None:
        """Begin to load; what is asked meanwhile waits."""
        self._loading()

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each question."""
        return await self._embed(texts, as_queries=True)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text."""
        return await self._embed(texts, as_queries=False)

    async def close(self) -> None:
        """End the thread after the texts it has in hand."""
        self._closing.set()
        await asyncio.to_thread(self._thread.shutdown)

    async def _embed(self, texts: Sequence[str], *, as_queries: bool) -> Vectors:
        given = [readable(text, self._package.longest) for text in texts]
        rows = [row for row, text in enumerate(given) if text]
        vectors = np.zeros((len(given), self.size), dtype=np.float32)
        for start in range(0, len(rows), self._package.batch):
            batch = rows[start : start + self._package.batch]
            vectors[batch] = await self._in_thread([given[row] for row in batch], as_queries=as_queries)
        return vectors

    async def _in_thread(self, texts: Sequence[str], *, as_queries: bool) -> Vectors:
        if self._closing.is_set():
            raise EmbedderUnavailable(f"The embedder {self._name} is closed.")
        model = self._loading()
        return await asyncio.wrap_future(self._thread.submit(self._run, model, texts, as_queries=as_queries))

    def _loading(self) -> Future[LocalModel | None]:
        if self._model is None:
            self._model = self._thread.submit(self._load)
        return self._model

    def _run(self, loading: Future[LocalModel | None], texts: Sequence[str], *, as_queries: bool) -> Vectors:
        model = None if self._closing.is_set() else loading.result()
        if model is None:
            raise EmbedderUnavailable(f"The embedder {self._name} is not loaded.")
        try:
            return unit_length(model.embed(texts, as_queries=as_queries))
        except (LookupError, RuntimeError, TypeError, ValueError) as problem:
            # Its own words may repeat the text.
            raise EmbedderUnavailable(f"The embedder {self._name} failed with {type(problem).__name__}.") from None

    def _load(self) -> LocalModel | None:
        if self._closing.is_set():
            return None
        try:
            # Imported here and by name, because it takes a second, and the package may be an extra that is not there.
            model: LocalModel = import_module(self._package.loader).load()
        except (AttributeError, BadZipFile, ImportError, LookupError, OSError, RuntimeError, TypeError, ValueError) as problem:
            log.warning("embedder_not_loaded", embedder=self._name, problem=f"{type(problem).__name__}: {problem}", using="words only")
            return None
        return model
