"""Which older programs may go on working while an upgrade runs."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision: str | None = "0013"


def upgrade() -> None:
    op.create_table(
        "schema_support",
        sa.Column("oldest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("oldest", name="pk_schema_support"),
    )
