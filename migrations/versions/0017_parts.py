"""On a server, messages stand in several tables, cut by their order of arrival, so that old ones go as whole tables."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision: str | None = "0016"

SIZE = 50_000_000
"""Messages a table: twenty of them at a thousand million, through which a look for a message takes a tenth of a millisecond."""
WAIT = "SET LOCAL lock_timeout = '10s'"
"""Whoever is kept longer from the table is better served by another try of the upgrade."""
REFERENCES = sa.text(
    "SELECT conname, conrelid::regclass::text AS place, pg_get_constraintdef(oid) AS says FROM pg_constraint"
    " WHERE confrelid = 'messages'::regclass AND contype = 'f' AND conparentid = 0 ORDER BY conname"
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        return
    references = op.get_bind().execute(REFERENCES).all()
    bound = first_bound()
    with op.get_context().autocommit_block():
        # Looked through beside everybody's work, so that the change itself takes no look.
        op.execute("ALTER TABLE messages DROP CONSTRAINT IF EXISTS messages_first_range")
        op.execute(f"ALTER TABLE messages ADD CONSTRAINT messages_first_range CHECK (id < {bound}) NOT VALID")
        op.execute("ALTER TABLE messages VALIDATE CONSTRAINT messages_first_range")
    op.execute(WAIT)
    op.execute("LOCK TABLE messages IN ACCESS EXCLUSIVE MODE")
    for reference in references:
        op.execute(f"ALTER TABLE {reference.place} DROP CONSTRAINT {reference.conname}")
    put_below_a_parent(bound)
    for reference in references:
        op.execute(f"ALTER TABLE {reference.place} ADD CONSTRAINT {reference.conname} {reference.says} NOT VALID")
    with op.get_context().autocommit_block():
        for reference in references:
            op.execute(f"ALTER TABLE {reference.place} VALIDATE CONSTRAINT {reference.conname}")


def first_bound() -> int:
    """Return where the table of all messages so far ends: far enough off that none comes to stand behind it meanwhile."""
    newest = op.get_bind().execute(sa.text("SELECT coalesce(max(id), 0) FROM messages")).scalar_one()
    return (int(newest) + SIZE // 2) // SIZE * SIZE + SIZE


def put_below_a_parent(bound: int) -> None:
    op.execute("ALTER TABLE messages RENAME TO messages_first")
    for name in ("pk_messages", "ix_messages_conversation_id", "ix_messages_waiting"):
        op.execute(f"ALTER INDEX {name} RENAME TO {name.replace('messages', 'messages_first')}")
    op.execute("CREATE TABLE messages (LIKE messages_first INCLUDING DEFAULTS) PARTITION BY RANGE (id)")
    op.execute("ALTER SEQUENCE messages_id_seq OWNED BY messages.id")
    op.execute("ALTER TABLE messages ADD CONSTRAINT pk_messages PRIMARY KEY (id)")
    op.create_index("ix_messages_conversation_id", "messages", ["conversation", "id"])
    op.create_index("ix_messages_waiting", "messages", ["conversation", "id"], postgresql_where=sa.text("state = 'waiting'"))
    op.execute(f"ALTER TABLE messages ATTACH PARTITION messages_first FOR VALUES FROM (MINVALUE) TO ({bound})")
    op.execute("ALTER TABLE messages_first DROP CONSTRAINT messages_first_range")
