"""The row of a corpus: how many slots were given, and how often it has changed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from secrets import randbits
from typing import TypeAlias

from sqlalchemy import Executable, bindparam, select, update

from bot.domain.message import Person
from bot.domain.past import CorpusKey
from bot.errors import StoreDamaged
from bot.storage.sql.past_tables import CorpusRow
from bot.storage.sql.session import SqlSession, insert_into, table_of

CORPORA = table_of(CorpusRow)
_COLUMN = CORPORA.c
_VERSION_BITS = 48
_IS_CORPUS = _COLUMN.id == bindparam("corpus")

Speakers: TypeAlias = tuple[Person | None, ...]
"""Everybody who was ever given an index; None where it is free again."""

_FIND = select(_COLUMN.kind, _COLUMN.id, _COLUMN.slots, _COLUMN.version, _COLUMN.changes).where(_COLUMN.conversation == bindparam("here"))
_SPEAKERS = select(_COLUMN.people).where(_IS_CORPUS)
_KEEP = (
    update(CORPORA)
    .where(_IS_CORPUS)
    .values(slots=bindparam("new_slots"), version=bindparam("new_version"), changes=bindparam("new_changes"))
)
_KEEP_SPEAKERS = update(CORPORA).where(_IS_CORPUS).values(people=bindparam("new_people"))


@dataclass(frozen=True, slots=True)
class CorpusState:
    """What tells whether something that was read of a corpus still holds."""

    id: int
    slots: int
    version: int
    changes: int

    def changed(self, *, more_slots: int = 0) -> "CorpusState":
        """Return the state after one more change."""
        return replace(self, slots=self.slots + more_slots, changes=self.changes + 1)

    def emptied(self) -> "CorpusState":
        """Return the state of a corpus that begins anew."""
        return replace(self, slots=0, version=self.version + 1, changes=self.changes + 1)

    def follows(self, other: "CorpusState") -> bool:
        """Return whether what was read in the other state becomes this one's by reading what has changed since."""
        return self.id == other.id and self.version == other.version and self.changes >= other.changes


async def find_corpus(sql: SqlSession, key: CorpusKey) -> CorpusState | None:
    """Return the state of a corpus."""
    rows = await sql.known_rows(_FIND, {"here": str(key.conversation)})
    return next((CorpusState(*state) for kind, *state in rows if kind == key.kind.value), None)


async def open_corpus(sql: SqlSession, key: CorpusKey) -> CorpusState:
    """Return the state of a corpus, which is made if there is none."""
    # The id may have been that of a corpus which was erased, and caches may still know it: no two begin with one version.
    fresh = {"slots": 0, "version": randbits(_VERSION_BITS), "changes": 0, "people": "[]"}
    values = {"conversation": str(key.conversation), "kind": key.kind.value, **fresh}
    await sql.run(_opening(sql.dialect), values)
    state = await find_corpus(sql, key)
    assert state is not None, "it was made by the statement before"
    return state


async def keep_state(sql: SqlSession, state: CorpusState) -> None:
    """Store a state."""
    values = {"corpus": state.id, "new_slots": state.slots, "new_version": state.version, "new_changes": state.changes}
    await sql.run(_KEEP, values)


async def speakers_of(sql: SqlSession, corpus_id: int) -> Speakers:
    """Return who speaks in a corpus."""
    ((people,),) = await sql.rows(_SPEAKERS, {"corpus": corpus_id})
    return tuple(None if person is None else Person(*person) for person in json.loads(people))


async def keep_speakers(sql: SqlSession, corpus_id: int, speakers: Sequence[Person | None]) -> None:
    """Store who speaks in a corpus."""
    people = [None if person is None else (person.id, person.display_name, person.is_bot, person.is_service) for person in speakers]
    kept = json.dumps(people, ensure_ascii=False, separators=(",", ":"))
    await sql.run(_KEEP_SPEAKERS, {"corpus": corpus_id, "new_people": kept})


def damaged(corpus_id: int, what: str) -> StoreDamaged:
    """Return the error for bytes that nobody wrote so."""
    return StoreDamaged(
        f"What search reads of a conversation is damaged in the database: {what} of corpus {corpus_id}. Nothing was written. "
        "Put a copy of the database that you kept in its place, then start again."
    )


@cache
def _opening(dialect: str) -> Executable:
    return insert_into(CORPORA, dialect).on_conflict_do_nothing(index_elements=["conversation", "kind"])
