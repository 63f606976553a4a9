"""What was erased, as digests that are kept for good."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision: str | None = "0011"

MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "tombstones",
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("what", name="pk_tombstones"),
    )
