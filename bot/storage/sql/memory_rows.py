"""Memories as rows."""

from bot.domain.chat import MemoryScope
from bot.domain.memory import Memory
from bot.domain.message import Person
from bot.storage.sql.session import Fields, table_of
from bot.storage.sql.tables import MemoryRow

MEMORIES = table_of(MemoryRow)
MEMORY_COLUMNS = tuple(column for column in MEMORIES.c if column.name not in {"id", "scope_id"})
"""What `memory_of` needs, in its order."""


def memory_of(row: Fields, scope: MemoryScope) -> Memory:
    """Return the memory whose columns a row begins with."""
    # Taken apart at once: fields by name cost a millisecond in two hundred memories.
    # fmt: off
    (
        memory_id, number, text, subject_id, subject_name, subject_is_bot, subject_is_service,
        author_id, author_name, author_is_bot, author_is_service, sources, created_at, updated_at, *_,
    ) = row
    # fmt: on
    subject = None if subject_id is None else Person(subject_id, subject_name, subject_is_bot, subject_is_service)
    author = Person(author_id, author_name, author_is_bot, author_is_service)
    return Memory(memory_id, scope, number, text, subject, author, tuple(sources), created_at, updated_at)
