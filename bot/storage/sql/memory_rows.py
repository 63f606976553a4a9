"""Memories as rows."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

from bot.domain.chat import MemoryScope
from bot.domain.memory import Level, Memory
from bot.domain.message import Person
from bot.domain.text import storable, text_key
from bot.storage.sql.people import person_columns
from bot.storage.sql.session import Fields, table_of
from bot.storage.sql.tables import MemoryRow

MEMORIES = table_of(MemoryRow)
MEMORY_COLUMNS = tuple(column for column in MEMORIES.c if column.name not in {"id", "scope_id", "weighed_micros", "text_digest"})
"""What `memory_of` needs, in its order."""
LEVEL_PLACES = tuple(f"level{place}" for place in range(len(Level)))
"""Names of the values that `level_values` gives."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DIGEST_BYTES = 16


def memory_columns(memory: Memory) -> dict[str, object]:
    """Return all columns of a memory but those that say where it stands."""
    return {
        "uuid": memory.id,
        "number": memory.number,
        "text": memory.text,
        **person_columns("subject", memory.subject),
        **person_columns("author", memory.author),
        "source_message_ids": list(memory.source_message_ids),
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "level": memory.level.value,
        "importance": memory.importance,
        "weighed_at": memory.weighed_at,
        "uses": memory.uses,
        "used_at": memory.used_at,
        "pinned": memory.pinned,
        "group_name": memory.group,
        "ended_at": memory.ended_at,
        "weighed_micros": micros(memory.weighed_at or memory.created_at),
        "text_digest": text_digest(memory.text),
    }


def memory_of(row: Fields, scope: MemoryScope) -> Memory:
    """Return the memory whose columns a row begins with."""
    # Taken apart at once: fields by name cost a millisecond in two hundred memories.
    # fmt: off
    (
        memory_id, number, text, subject_id, subject_name, subject_is_bot, subject_is_service,
        author_id, author_name, author_is_bot, author_is_service, sources, created_at, updated_at,
        level, importance, weighed_at, uses, used_at, pinned, group, ended_at, *_,
    ) = row
    return Memory(
        memory_id, scope, number, text,
        None if subject_id is None else Person(subject_id, subject_name, subject_is_bot, subject_is_service),
        Person(author_id, author_name, author_is_bot, author_is_service),
        tuple(sources), created_at, updated_at,
        Level(level), importance, weighed_at, uses, used_at, pinned, group, ended_at,
    )
    # fmt: on


def level_values(levels: Collection[Level]) -> dict[str, object]:
    """Return the levels as values for one constant statement; a place left over stands for a level that nothing has."""
    return dict(zip(LEVEL_PLACES, [*sorted({*levels}), *([0] * len(LEVEL_PLACES))], strict=False))


def micros(moment: datetime) -> int:
    """Return a moment as microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def text_digest(text: str) -> str:
    """Return what is equal for texts that say the same."""
    return blake2b(text_key(storable(text)).encode(), digest_size=_DIGEST_BYTES).hexdigest()
