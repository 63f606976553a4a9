"""Names and claims by a statistical model, in a thread of its own."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module

import structlog

from bot.nlp.reading import readable
from bot.nlp.rule_extractor import read_by_rules
from bot.ports.extractor import Reading

_Read = Callable[[str], Reading]
"""Reads a text that has been made readable."""

log = structlog.get_logger(__name__)


class SpacyExtractor:
    """Fulfils `bot.ports.extractor.Extractor` with the first of some models that loads, with rules when none does."""

    def __init__(self, model_names: Sequence[str]) -> None:
        self._model_names = tuple(model_names)
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="names")
        self._reader: Future[_Read] | None = None

    def warm_up(self) -> None:
        """Begin to load; what is asked meanwhile waits."""
        self._loading()

    async def read(self, texts: Sequence[str]) -> Sequence[Reading]:
        """Return the names and claims of texts; nothing of those that it has not begun with when it is closing."""
        return [await self._reading(text) for text in texts]

    async def close(self) -> None:
        """End the thread after the text it is reading."""
        self._closing.set()
        await asyncio.to_thread(self._thread.shutdown)

    async def _reading(self, text: str) -> Reading:
        if self._closing.is_set():
            return Reading()
        return await asyncio.wrap_future(self._thread.submit(self._read, self._loading(), readable(text)))

    def _loading(self) -> Future[_Read]:
        if self._reader is None:
            self._reader = self._thread.submit(self._load)
        return self._reader

    def _read(self, reader: Future[_Read], text: str) -> Reading:
        return Reading() if self._closing.is_set() else reader.result()(text)

    def _load(self) -> _Read:
        if self._closing.is_set():
            return read_by_rules
        try:
            # Imported here and by name, because spaCy takes a second to import, and this thread has the time.
            spacy_model = import_module("bot.nlp.spacy_model")
        except (ImportError, OSError, ValueError) as problem:
            log.warning("names_by_rules_only", problem=f"spaCy cannot be imported: {problem}")
            return read_by_rules
        if self._closing.is_set():
            return read_by_rules
        model = spacy_model.load_first(self._model_names)
        if model is None:
            log.warning("names_by_rules_only", problem="no spaCy model could be loaded", tried=list(self._model_names))
            return read_by_rules
        read: _Read = model.read
        return read
