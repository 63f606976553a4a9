"""What is remembered: memories, the terms they are found by, their journal."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")


def upgrade() -> None:
    _create_memories()
    _create_journal()


def _create_memories() -> None:
    op.create_table(
        "memory_scopes",
        _key(),
        _column("persona_id"),
        _column("audience_kind"),
        _column("audience_id"),
        _column("last_number", WHOLE),
        sa.PrimaryKeyConstraint("id", name="pk_memory_scopes"),
        sa.UniqueConstraint("persona_id", "audience_kind", "audience_id", name="uq_memory_scopes_persona_id_audience_kind_audience_id"),
    )
    op.create_table(
        "memories",
        _key(),
        _column("uuid", sa.Uuid()),
        _column("scope_id", WHOLE),
        _column("number", WHOLE),
        _column("text"),
        *_person("subject", nullable=True),
        *_person("author"),
        _column("source_message_ids", sa.JSON()),
        _column("created_at", MOMENT),
        _column("updated_at", MOMENT),
        sa.ForeignKeyConstraint(["scope_id"], ["memory_scopes.id"], name="fk_memories_scope_id"),
        sa.PrimaryKeyConstraint("id", name="pk_memories"),
        sa.UniqueConstraint("scope_id", "number", name="uq_memories_scope_id_number"),
        sa.UniqueConstraint("uuid", name="uq_memories_uuid"),
    )
    op.create_index("ix_memories_scope_id_updated_at_number", "memories", ["scope_id", "updated_at", "number"])
    op.create_table(
        "memory_terms",
        _column("scope_id", WHOLE),
        _column("term"),
        _column("memory_row", WHOLE),
        sa.ForeignKeyConstraint(["memory_row"], ["memories.id"], name="fk_memory_terms_memory_row", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("scope_id", "term", "memory_row", name="pk_memory_terms"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_terms_memory_row", "memory_terms", ["memory_row"])


def _create_journal() -> None:
    op.create_table(
        "journal",
        _key(),
        _column("memory_id", sa.Uuid()),
        _column("scope_id", WHOLE),
        _column("number", WHOLE),
        *(_column(name) for name in ("actor", "reason", "before", "after")),
        _column("source_message_ids", sa.JSON()),
        _column("at", MOMENT),
        sa.ForeignKeyConstraint(["scope_id"], ["memory_scopes.id"], name="fk_journal_scope_id"),
        sa.PrimaryKeyConstraint("id", name="pk_journal"),
    )
    op.create_index("ix_journal_scope_id_id", "journal", ["scope_id", "id"])


def _key() -> sa.Column[int]:
    return sa.Column("id", WHOLE, nullable=False)


def _column(name: str, kind: sa.types.TypeEngine[Any] | None = None, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind or sa.String(), nullable=nullable)


def _person(prefix: str, *, nullable: bool = False) -> list[sa.Column[Any]]:
    texts = [_column(f"{prefix}_{part}", nullable=nullable) for part in ("id", "name")]
    return texts + [_column(f"{prefix}_{part}", sa.Boolean(), nullable=nullable) for part in ("is_bot", "is_service")]
