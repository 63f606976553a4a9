"""What waits is found in the order in which it came, over all conversations: for monitors, and for who waits long."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision: str | None = "0017"

IS_WAITING = sa.text("state = 'waiting'")
PARTS = sa.text("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1")


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        parts = op.get_bind().scalars(PARTS).all()
        with op.get_context().autocommit_block():  # beside everybody's work; the parent then takes in what was made
            for part in parts:
                op.drop_index(f"ix_{part}_line", part, if_exists=True, postgresql_concurrently=True)  # one that was cut short
                op.create_index(f"ix_{part}_line", part, ["id"], postgresql_where=IS_WAITING, postgresql_concurrently=True)
    op.create_index("ix_messages_line", "messages", ["id"], sqlite_where=IS_WAITING, postgresql_where=IS_WAITING)
