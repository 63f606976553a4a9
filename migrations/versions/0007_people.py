"""Who opted out, who was told what is remembered, and words that pass."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision: str | None = "0006"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "opt_outs",
        *(_column(name) for name in ("platform", "person_id")),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("platform", "person_id", name="pk_opt_outs"),
    )
    op.create_table(
        "introductions",
        *(_column(name) for name in ("platform", "space_id")),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("platform", "space_id", name="pk_introductions"),
    )
    op.create_table(
        "passing_messages",
        sa.Column("message_row", WHOLE, autoincrement=False, nullable=False),
        _column("conversation"),
        _column("at", MOMENT),
        sa.ForeignKeyConstraint(["message_row"], ["messages.id"], name="fk_passing_messages_message_row", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("message_row", name="pk_passing_messages"),
    )
    op.create_index("ix_passing_messages_conversation", "passing_messages", ["conversation"])


def _column(name: str, kind: sa.types.TypeEngine[Any] | None = None) -> sa.Column[Any]:
    return sa.Column(name, kind or sa.String(), nullable=False)
