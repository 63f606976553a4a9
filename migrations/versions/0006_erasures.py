"""What is being erased, and what must not come back."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision: str | None = "0005"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "erasures",
        _column("id", WHOLE),
        *(_column(name) for name in ("target", "state", "counts")),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_erasures"),
    )
    op.create_table(
        "erasure_stamps",
        _column("place"),
        _column("stamp", WHOLE),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("place", name="pk_erasure_stamps"),
    )
    op.create_index("ix_erasure_stamps_at", "erasure_stamps", ["at"])
    op.create_table(
        "erased_messages",
        _column("message"),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("message", name="pk_erased_messages"),
    )
    op.create_index("ix_erased_messages_at", "erased_messages", ["at"])
    op.create_table(
        "departures",
        *(_column(name) for name in ("platform", "space_id")),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("platform", "space_id", name="pk_departures"),
    )


def _column(name: str, kind: sa.types.TypeEngine[Any] | None = None) -> sa.Column[Any]:
    return sa.Column(name, kind or sa.String(), nullable=False)
