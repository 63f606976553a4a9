"""Whole memories as JSON, as the journal keeps them: what is read back equals what was written."""

import json
from datetime import UTC, datetime

from bot.domain.memory import JournalEntry, Level, Memory
from bot.domain.message import Person
from bot.domain.text import storable

_MARK = '{"form":1,'
"""What a snapshot begins with. An older program, beside which a database was upgraded, wrote bare texts."""


def snapshot(memory: Memory | None) -> str:
    """Return a memory as JSON, without what its entry says; nothing for none."""
    if memory is None:
        return ""
    fields = {
        "form": 1,
        "text": storable(memory.text),
        "subject": None if memory.subject is None else _person_fields(memory.subject),
        "author": _person_fields(memory.author),
        "source_message_ids": memory.source_message_ids,
        "created_at": _moment_text(memory.created_at),
        "updated_at": _moment_text(memory.updated_at),
        "level": memory.level.value,
        "importance": memory.importance,
        "weighed_at": _moment_text(memory.weighed_at),
        "uses": memory.uses,
        "used_at": _moment_text(memory.used_at),
        "pinned": memory.pinned,
        "group": storable(memory.group),
        "ended_at": _moment_text(memory.ended_at),
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def memory_in(kept: str, entry: JournalEntry) -> Memory | None:
    """Return the memory that an entry's snapshot holds; None when it holds none."""
    if not kept.startswith(_MARK):
        return None
    fields = json.loads(kept)
    return Memory(
        id=entry.memory_id,
        scope=entry.scope,
        number=entry.number,
        text=fields["text"],
        subject=None if fields["subject"] is None else Person(*fields["subject"]),
        author=Person(*fields["author"]),
        source_message_ids=tuple(fields["source_message_ids"]),
        created_at=datetime.fromisoformat(fields["created_at"]),
        updated_at=datetime.fromisoformat(fields["updated_at"]),
        level=Level(fields["level"]),
        importance=fields["importance"],
        weighed_at=_moment(fields["weighed_at"]),
        uses=fields["uses"],
        used_at=_moment(fields["used_at"]),
        pinned=fields["pinned"],
        group=fields["group"],
        ended_at=_moment(fields["ended_at"]),
    )


def _person_fields(person: Person) -> tuple[str, str, bool, bool]:
    return (storable(person.id), storable(person.display_name), person.is_bot, person.is_service)


def _moment_text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
