"""Names by a statistical model, in a thread of its own."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from typing import TypeAlias

import structlog

from bot.domain.entity import EntityMention
from bot.nlp.reading import readable
from bot.nlp.rule_extractor import find_by_rules

FindNames: TypeAlias = Callable[[str], Sequence[EntityMention]]

log = structlog.get_logger(__name__)


class SpacyExtractor:
    """Fulfils `bot.ports.extractor.Extractor` with the first of some models that loads, with rules when none does."""

    def __init__(self, model_names: Sequence[str]) -> None:
        self._model_names = tuple(model_names)
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="names")
        self._find: Future[FindNames] | None = None

    def warm_up(self) -> None:
        """Begin to load; what is asked meanwhile waits."""
        self._loading()

    async def extract(self, text: str) -> Sequence[EntityMention]:
        """Return the names that the model and the rules find; none when it is closing."""
        if self._closing.is_set():
            return ()
        return await asyncio.wrap_future(self._thread.submit(self._extract, self._loading(), readable(text)))

    async def close(self) -> None:
        """End the thread after the text it is reading."""
        self._closing.set()
        await asyncio.to_thread(self._thread.shutdown)

    def _loading(self) -> Future[FindNames]:
        if self._find is None:
            self._find = self._thread.submit(self._load)
        return self._find

    def _extract(self, find: Future[FindNames], text: str) -> Sequence[EntityMention]:
        return () if self._closing.is_set() else find.result()(text)

    def _load(self) -> FindNames:
        if self._closing.is_set():
            return find_by_rules
        try:
            # Imported here and by name, because spaCy takes a second to import, and this thread has the time.
            spacy_model = import_module("bot.nlp.spacy_model")
        except (ImportError, OSError, ValueError) as problem:
            log.warning("names_by_rules_only", problem=f"spaCy cannot be imported: {problem}")
            return find_by_rules
        if self._closing.is_set():
            return find_by_rules
        model = spacy_model.load_first(self._model_names)
        if model is None:
            log.warning("names_by_rules_only", problem="no spaCy model could be loaded", tried=list(self._model_names))
            return find_by_rules
        find: FindNames = model.find
        return find
