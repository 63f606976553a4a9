"""What somebody has written, or is told of, is found wherever it stands: to erase a person reads no table from end to end."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision: str | None = "0019"

BY_PEOPLE, IS_QUOTE, IS_ABOUT = sa.text("role = 'user'"), sa.text("quote_author_id IS NOT NULL"), sa.text("subject_id IS NOT NULL")
PARTS = sa.text("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1")


def upgrade() -> None:
    index("ix_messages_author", "messages", ["author_id", "conversation"], BY_PEOPLE)
    index("ix_messages_quoted", "messages", ["quote_author_id", "conversation"], IS_QUOTE)
    index("ix_memories_author", "memories", ["author_id", "scope_id"], None)
    index("ix_memories_subject", "memories", ["subject_id", "scope_id"], IS_ABOUT)


def index(name: str, table: str, columns: list[str], where: sa.TextClause | None) -> None:
    """Make an index; on a server beside everybody's work, for each table below a parent first: the parent's then takes them in."""
    if op.get_bind().dialect.name != "sqlite":
        parts = op.get_bind().scalars(PARTS).all() if table == "messages" else [table]
        with op.get_context().autocommit_block():
            for part in parts:
                made = name.replace(table, part)
                op.drop_index(made, part, if_exists=True, postgresql_concurrently=True)  # one that was cut short
                op.create_index(made, part, columns, postgresql_where=where, postgresql_concurrently=True)
        if table not in parts:
            op.create_index(name, table, columns, postgresql_where=where)
    else:
        op.create_index(name, table, columns, sqlite_where=where)
