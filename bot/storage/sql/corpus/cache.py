"""What was read of corpora and may still hold, so that a reply reads only what has changed."""

from collections import OrderedDict
from typing import Final

from bot.storage.sql.corpus.slots import SlotTable
from bot.storage.sql.corpus.vectors import VectorTable

DEFAULT_BYTES: Final = 64 * 2**20


class CorpusCache:
    """Documents and vectors of the corpora that were read last, up to a number of bytes. Only what is committed comes in here."""

    def __init__(self, limit: int = DEFAULT_BYTES) -> None:
        self.limit = limit
        """The bytes that fit."""
        self._kept: OrderedDict[tuple[int, type], SlotTable | VectorTable] = OrderedDict()
        self._bytes = 0

    @property
    def size_bytes(self) -> int:
        """What is in use."""
        return self._bytes

    def slots(self, corpus_id: int) -> SlotTable | None:
        """Return the documents that were read last."""
        found = self._found(corpus_id, SlotTable)
        return found if isinstance(found, SlotTable) else None

    def vectors(self, corpus_id: int) -> VectorTable | None:
        """Return the vectors that were read last."""
        found = self._found(corpus_id, VectorTable)
        return found if isinstance(found, VectorTable) else None

    def keep(self, table: SlotTable | VectorTable) -> None:
        """Keep what was read, unless something newer is here or it is too large; what was not asked for longest goes."""
        key = (table.state.id, type(table))
        known = self._kept.get(key)
        if known is not None and known.state.follows(table.state):
            return
        if known is not None:
            self._drop(key)
        if table.size_bytes > self.limit:
            return
        self._kept[key] = table
        self._bytes += table.size_bytes
        while self._bytes > self.limit:
            self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._bytes = 0

    def _found(self, corpus_id: int, kind: type) -> SlotTable | VectorTable | None:
        key = (corpus_id, kind)
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def _drop(self, key: tuple[int, type]) -> None:
        self._bytes -= self._kept.pop(key).size_bytes
