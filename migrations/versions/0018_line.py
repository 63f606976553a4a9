"""What waits is found in the order in which it came, over all conversations: for monitors, and for who waits long."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision: str | None = "0017"

IS_WAITING = sa.text("state = 'waiting'")


def upgrade() -> None:
    # Few rows wait, but each table is read once: a minute at a thousand million, in which nobody can write.
    op.create_index("ix_messages_line", "messages", ["id"], sqlite_where=IS_WAITING, postgresql_where=IS_WAITING)
