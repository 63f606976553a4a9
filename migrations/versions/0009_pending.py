"""What waits to be approved before it may be remembered, and finding what one person has told."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision: str | None = "0008"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "pending_memories",
        *(_column(name, WHOLE) for name in ("id", "scope_id", "number")),
        *(_column(name) for name in ("text", "author_id", "author_name")),
        *(_column(name, sa.Boolean()) for name in ("author_is_bot", "author_is_service")),
        *(_column(name, nullable=True) for name in ("subject_id", "subject_name")),
        *(_column(name, sa.Boolean(), nullable=True) for name in ("subject_is_bot", "subject_is_service")),
        _column("source_message_ids", sa.JSON()),
        _column("reason"),
        _column("at", MOMENT),
        _column("importance", sa.Double()),
        _column("group_name"),
        sa.ForeignKeyConstraint(["scope_id"], ["memory_scopes.id"], name="fk_pending_memories_scope_id"),
        sa.PrimaryKeyConstraint("id", name="pk_pending_memories"),
        sa.UniqueConstraint("scope_id", "number", name="uq_pending_memories_scope_id_number"),
    )
    op.create_index("ix_pending_memories_scope_id_author_id_number", "pending_memories", ["scope_id", "author_id", "number"])
    op.create_index("ix_memories_scope_id_author_id_created_at", "memories", ["scope_id", "author_id", "created_at"])


def _column(name: str, kind: sa.types.TypeEngine[Any] | None = None, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind or sa.String(), nullable=nullable)
