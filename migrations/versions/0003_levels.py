"""How memories strengthen and fade, what brought them back, and what happens by night.

A memory of before is a working one, important by 0.75 since its creation. The journal now holds whole memories: texts of memories
that are still there become so, with the people and the creation time that these have now; those of forgotten ones are taken out.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any
from unicodedata import normalize

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision: str | None = "0002"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CLOSING = ".!?,;:\u3002\u3001\uff61\u060c\u061b\u061f\u06d4\u0964\u0965 "
BATCH = 1000


def upgrade() -> None:
    _widen_memories()
    _widen_journal()
    _create_recalls()
    _create_jobs()
    _create_space_settings()


def _widen_memories() -> None:
    op.add_column("memory_scopes", _column("fold", nullable=True))
    op.add_column("messages", _column("history_start", WHOLE, default="0"))
    for column in (
        _column("level", sa.Integer(), default="1"),
        _column("importance", sa.Double(), default="0.75"),
        _column("weighed_at", MOMENT, nullable=True),
        _column("uses", sa.Integer(), default="0"),
        _column("used_at", MOMENT, nullable=True),
        _column("pinned", sa.Boolean(), default=sa.false()),
        _column("group_name", default=""),
        _column("ended_at", MOMENT, nullable=True),
        _column("weighed_micros", WHOLE, default=str(2**62)),
        _column("text_digest", default=""),
    ):
        op.add_column("memories", column)
    _fill_memories()
    op.drop_index("ix_memories_scope_id_updated_at_number", "memories")
    level_columns = ["scope_id", "level", "ended_at", "group_name", "pinned", "importance", "weighed_micros", "number"]
    op.create_index("ix_memories_level", "memories", level_columns)
    used = sa.text("uses > 0")
    op.create_index("ix_memories_used", "memories", ["scope_id", "number"], sqlite_where=used, postgresql_where=used)
    op.create_index("ix_memories_scope_id_text_digest", "memories", ["scope_id", "text_digest"])


def _fill_memories() -> None:
    filling = sa.text("UPDATE memories SET weighed_micros = :micros, text_digest = :digest WHERE id = :id")
    for rows in _batches("SELECT id, text, created_at FROM memories WHERE id > :after ORDER BY id LIMIT :most"):
        values = [{"id": row.id, "micros": _micros(_moment(row.created_at)), "digest": _digest(row.text)} for row in rows]
        op.get_bind().execute(filling, values)


def _widen_journal() -> None:
    op.add_column("journal", _column("run", default=""))
    _fill_journal()
    op.create_index("ix_journal_scope_id_number_id", "journal", ["scope_id", "number", "id"])
    op.create_index("ix_journal_memory_id", "journal", ["memory_id"])
    named = sa.text("run <> ''")
    op.create_index("ix_journal_run", "journal", ["run", "id"], sqlite_where=named, postgresql_where=named)


def _fill_journal() -> None:
    filling = sa.text("UPDATE journal SET before = :before, after = :after WHERE id = :id")
    entries = """
        SELECT entry.id, entry.before, entry.after, entry.at, memory.id AS memory, memory.created_at, memory.source_message_ids,
            memory.subject_id, memory.subject_name, memory.subject_is_bot, memory.subject_is_service,
            memory.author_id, memory.author_name, memory.author_is_bot, memory.author_is_service
        FROM journal AS entry LEFT JOIN memories AS memory ON memory.uuid = entry.memory_id
        WHERE entry.id > :after ORDER BY entry.id LIMIT :most
    """
    changed_at: dict[int, datetime] = {}
    for rows in _batches(entries):
        op.get_bind().execute(filling, [_whole_entry(row, changed_at) for row in rows])


def _whole_entry(row: Any, changed_at: dict[int, datetime]) -> dict[str, object]:
    if row.memory is None:
        return {"id": row.id, "before": "", "after": ""}
    before_at, at = changed_at.get(row.memory, _moment(row.created_at)), _moment(row.at)
    changed_at[row.memory] = at
    return {"id": row.id, "before": _whole_memory(row, row.before, before_at), "after": _whole_memory(row, row.after, at)}


def _whole_memory(row: Any, text: str, updated_at: datetime) -> str:
    if not text:
        return ""
    sources = row.source_message_ids
    fields = {
        "form": 1,
        "text": text,
        "subject": None if row.subject_id is None else _person(row, "subject"),
        "author": _person(row, "author"),
        "source_message_ids": json.loads(sources) if isinstance(sources, str) else sources,
        "created_at": _moment(row.created_at).isoformat(),
        "updated_at": updated_at.isoformat(),
        "level": 1,
        "importance": 0.75,
        "weighed_at": None,
        "uses": 0,
        "used_at": None,
        "pinned": False,
        "group": "",
        "ended_at": None,
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _create_recalls() -> None:
    op.create_table(
        "recalls",
        _column("conversation"),
        _column("message_row", WHOLE),
        _column("notes"),
        sa.ForeignKeyConstraint(["message_row"], ["messages.id"], name="fk_recalls_message_row", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("conversation", name="pk_recalls"),
    )
    op.create_index("ix_recalls_message_row", "recalls", ["message_row"])


def _create_jobs() -> None:
    op.create_table(
        "job_claims",
        _column("job"),
        _column("subject"),
        _column("day", sa.Date()),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("job", "subject", "day", name="pk_job_claims"),
    )
    op.create_table(
        "job_records",
        _column("id", WHOLE),
        *(_column(name) for name in ("run", "job", "subject", "state")),
        _column("started_at", MOMENT),
        _column("seconds", sa.Double()),
        _column("reason"),
        _column("counts", sa.JSON(), nullable=True),
        _column("diary"),
        sa.PrimaryKeyConstraint("id", name="pk_job_records"),
        sa.UniqueConstraint("run", name="uq_job_records_run"),
    )
    op.create_index("ix_job_records_subject_job_started_at", "job_records", ["subject", "job", "started_at"])
    op.create_index("ix_job_records_started_at", "job_records", ["started_at"])


def _create_space_settings() -> None:
    op.create_table(
        "space_settings",
        *(_column(name) for name in ("platform", "space_id", "name", "value")),
        sa.PrimaryKeyConstraint("platform", "space_id", "name", name="pk_space_settings"),
    )


def _batches(statement: str) -> Iterator[list[Any]]:
    """Give the rows of a statement a thousand at a time, so that a large table needs little memory."""
    after = 0
    while rows := list(op.get_bind().execute(sa.text(statement), {"after": after, "most": BATCH})):
        yield rows
        after = rows[-1].id


def _column(
    name: str, kind: sa.types.TypeEngine[Any] | None = None, *, nullable: bool = False, default: str | sa.ColumnElement[Any] | None = None
) -> sa.Column[Any]:
    return sa.Column(name, kind or sa.String(), nullable=nullable, server_default=default)


def _person(row: Any, prefix: str) -> list[object]:
    kinds = [bool(getattr(row, f"{prefix}_{part}")) for part in ("is_bot", "is_service")]
    return [getattr(row, f"{prefix}_id"), getattr(row, f"{prefix}_name"), *kinds]


def _moment(kept: str | datetime) -> datetime:
    return datetime.fromisoformat(kept) if isinstance(kept, str) else kept.astimezone(UTC)


def _micros(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def _digest(text: str) -> str:
    words = " ".join(normalize("NFKC", normalize("NFKC", text).casefold()).split())
    return blake2b((words.rstrip(CLOSING) or words).encode(), digest_size=16).hexdigest()
