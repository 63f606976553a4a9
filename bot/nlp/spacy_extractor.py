"""Names and claims by a statistical model, in a thread of its own."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from typing import Protocol

import structlog

from bot.domain.entity import EntityMention
from bot.nlp.reading import readable
from bot.nlp.rule_extractor import find_by_rules, read_by_rules
from bot.ports.extractor import Reading

log = structlog.get_logger(__name__)


class _Reader(Protocol):
    """Reads texts that have been made readable."""

    def find(self, text: str) -> Sequence[EntityMention]: ...

    def read(self, text: str) -> Reading: ...


class _Rules:
    def find(self, text: str) -> Sequence[EntityMention]:
        return find_by_rules(text)

    def read(self, text: str) -> Reading:
        return read_by_rules(text)


class SpacyExtractor:
    """Fulfils `bot.ports.extractor.Extractor` with the first of some models that loads, with rules when none does."""

    def __init__(self, model_names: Sequence[str]) -> None:
        self._model_names = tuple(model_names)
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="names")
        self._reader: Future[_Reader] | None = None

    def warm_up(self) -> None:
        """Begin to load; what is asked meanwhile waits."""
        self._loading()

    async def extract(self, text: str) -> Sequence[EntityMention]:
        """Return the names that the model and the rules find; none when it is closing."""
        if self._closing.is_set():
            return ()
        return await asyncio.wrap_future(self._thread.submit(self._find, self._loading(), readable(text)))

    async def read(self, texts: Sequence[str]) -> Sequence[Reading]:
        """Return the names and claims of texts, one after the other, so that no reply waits for more than one of them."""
        return [await self._reading(text) for text in texts]

    async def close(self) -> None:
        """End the thread after the text it is reading."""
        self._closing.set()
        await asyncio.to_thread(self._thread.shutdown)

    async def _reading(self, text: str) -> Reading:
        if self._closing.is_set():
            return Reading()
        return await asyncio.wrap_future(self._thread.submit(self._read, self._loading(), readable(text)))

    def _loading(self) -> Future[_Reader]:
        if self._reader is None:
            self._reader = self._thread.submit(self._load)
        return self._reader

    def _find(self, reader: Future[_Reader], text: str) -> Sequence[EntityMention]:
        return () if self._closing.is_set() else reader.result().find(text)

    def _read(self, reader: Future[_Reader], text: str) -> Reading:
        return Reading() if self._closing.is_set() else reader.result().read(text)

    def _load(self) -> _Reader:
        if self._closing.is_set():
            return _Rules()
        try:
            # Imported here and by name, because spaCy takes a second to import, and this thread has the time.
            spacy_model = import_module("bot.nlp.spacy_model")
        except (ImportError, OSError, ValueError) as problem:
            log.warning("names_by_rules_only", problem=f"spaCy cannot be imported: {problem}")
            return _Rules()
        if self._closing.is_set():
            return _Rules()
        model: _Reader | None = spacy_model.load_first(self._model_names)
        if model is None:
            log.warning("names_by_rules_only", problem="no spaCy model could be loaded", tried=list(self._model_names))
            return _Rules()
        return model
