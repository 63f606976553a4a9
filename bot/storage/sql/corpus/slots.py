"""The documents of a corpus by slot: packed in blocks, and unpacked as the arrays that search reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bot.domain.message import Person
from bot.ports.corpus import Documents
from bot.storage.sql.corpus.state import CorpusState, Speakers, damaged

BLOCK: Final = 128
"""Slots of a row. More would be read faster at once, and written more often for one message."""
USED: Final = 1
OF_PERSONA: Final = 2
_NEVER = -(2**62)
_FORMAT = b"\x01"
"""Stands first in every row, so that another way of packing can be told apart."""
RECORD = np.dtype([("id", "<i8"), ("at", "<i8"), ("speaker", "<i4"), ("length", "<i4"), ("flags", "u1")])

Records = npt.NDArray[np.void]
"""A RECORD a slot; all zero where there is no document any more."""
Slots = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SlotTable:
    """All documents of a corpus in one state. Its arrays are shared and cannot be written."""

    state: CorpusState
    records: Records
    speakers: Speakers
    documents: Documents
    order: Slots
    """The slot of each place in `documents`."""
    places: Slots
    """The place of each slot, -1 for none."""

    @property
    def size_bytes(self) -> int:
        """What it takes in memory."""
        held = self.documents
        columns = (held.ids, held.times, held.speakers, held.lengths, held.of_persona)
        return sum(array.nbytes for array in (self.records, self.order, self.places, *columns))

    def slots_of(self, ids: Sequence[int]) -> Slots:
        """Return the slot of each id, -1 for those that are unknown."""
        wanted, known = np.asarray(ids, dtype=np.int64), self.documents.ids
        if not known.size:
            return np.full(wanted.size, -1, dtype=np.int64)
        near = np.minimum(np.searchsorted(known, wanted), known.size - 1)
        return np.where(known[near] == wanted, self.order[near], -1)


def packed_block(records: Records) -> bytes:
    """Return the records of a block as they are kept."""
    return _FORMAT + records.tobytes()


def unpacked(state: CorpusState, known: Records | None, blocks: Iterable[tuple[int, bytes]]) -> Records:
    """Return all records of a corpus: those that are known, and in their place those of blocks that were read."""
    records = np.zeros(state.slots, dtype=RECORD)
    filled = 0 if known is None else known.size
    if known is not None:
        records[:filled] = known
    for block, packed in blocks:
        start, count = block * BLOCK, len(packed) // RECORD.itemsize
        if packed[:1] != _FORMAT or len(packed) != 1 + count * RECORD.itemsize or not 0 <= start < start + count <= state.slots:
            raise damaged(state.id, f"block {block}")
        records[start : start + count] = np.frombuffer(packed, dtype=RECORD, offset=1)
        filled = max(filled, start + count)
    if filled != state.slots:
        raise damaged(state.id, f"a block after slot {filled}")
    return records


def table_of(state: CorpusState, records: Records, speakers: Speakers) -> SlotTable:
    """Return the records as search reads them."""
    order, places = _orders(records)
    is_all = order.size == records.size and (order[1:] > order[:-1]).all()  # as long as nothing was removed or came late

    def column(name: str) -> npt.NDArray[Any]:
        values: npt.NDArray[Any] = records[name].copy() if is_all else records[name][order]
        return values

    documents = Documents(
        ids=column("id"),
        times=column("at"),
        speakers=_renumbered(state, column("speaker"), speakers),
        lengths=column("length"),
        of_persona=(column("flags") & OF_PERSONA).astype(np.bool_),
        people=tuple(person for person in speakers if person is not None),
    )
    columns = (documents.ids, documents.times, documents.speakers, documents.lengths, documents.of_persona)
    for array in (records, order, places, *columns):
        array.flags.writeable = False
    return SlotTable(state, records, speakers, documents, order, places)


def by_block(slots: Slots) -> dict[int, npt.NDArray[np.intp]]:
    """Return by block which of the slots lie in it."""
    blocks = slots // BLOCK
    return {int(block): np.flatnonzero(blocks == block) for block in np.unique(blocks)}


def enrolled(table: SlotTable, spoken: Iterable[tuple[Person, int]]) -> tuple[list[Person | None], list[int]]:
    """Return everybody with those who speak now, each under the name borne last, and the index of each who spoke.

    `spoken` says who speaks in documents to come, and when: in seconds since 1970.
    """
    speakers, indexes = list(table.speakers), list[int]()
    known = {_identity(person): index for index, person in enumerate(speakers) if person is not None}
    before, latest = dict[int, int](), dict[int, int]()
    for person, second in spoken:
        index = known.get(_identity(person), -1)
        if index < 0:
            index = known[_identity(person)] = _seated(speakers, person)
        elif speakers[index] != person:
            if index not in before:
                before[index] = _last_spoke(table.records, index)
            if second >= max(before[index], latest.get(index, _NEVER)):
                speakers[index] = person
        latest[index] = max(latest.get(index, _NEVER), second)
        indexes.append(index)
    return speakers, indexes


def still_speaking(records: Records, speakers: Speakers) -> list[Person | None]:
    """Return everybody who has a document, and None for those who have none."""
    heard = set(np.unique(records["speaker"][records["flags"] & USED > 0]).tolist())
    return [person if index in heard else None for index, person in enumerate(speakers)]


def _orders(records: Records) -> tuple[Slots, Slots]:
    """Return the slot of each place, and the place of each slot."""
    used = np.flatnonzero(records["flags"] & USED)
    ids = records["id"][used]
    order = used if (ids[1:] > ids[:-1]).all() else used[np.argsort(ids, kind="stable")]
    places = np.full(records.size, -1, dtype=np.int64)
    places[order] = np.arange(order.size)
    return order, places


def _identity(person: Person) -> tuple[str, bool]:
    # A persona may bear the id of a person.
    return person.id, person.is_bot


def _seated(speakers: list[Person | None], person: Person) -> int:
    if None not in speakers:
        speakers.append(person)
        return len(speakers) - 1
    index = speakers.index(None)
    speakers[index] = person
    return index


def _last_spoke(records: Records, index: int) -> int:
    theirs = records["at"][(records["flags"] & USED > 0) & (records["speaker"] == index)]
    return int(theirs.max()) if theirs.size else _NEVER


def _renumbered(state: CorpusState, indexes: npt.NDArray[np.int32], speakers: Speakers) -> npt.NDArray[np.int32]:
    present = np.array([person is not None for person in speakers], dtype=np.bool_)
    if not indexes.size:
        return indexes
    if indexes.min() < 0 or indexes.max() >= present.size or not present[indexes].all():
        raise damaged(state.id, "a speaker")
    if present.all():
        return indexes
    places: npt.NDArray[np.int32] = (np.cumsum(present) - 1).astype(np.int32)[indexes]
    return places
