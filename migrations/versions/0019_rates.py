"""Rates that processes on a server share. A file has one process, whose platform clients keep to theirs alone."""

from alembic import op

revision = "0019"
down_revision: str | None = "0018"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE UNLOGGED TABLE baku_rates (name text PRIMARY KEY, free_at double precision NOT NULL) WITH (fillfactor = 50)")
