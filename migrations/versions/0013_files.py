"""Where the files of messages that wait for an answer can be had."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision: str | None = "0012"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "message_files",
        sa.Column("message_row", WHOLE, nullable=False),
        sa.Column("files", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("message_row", name="pk_message_files"),
        sa.ForeignKeyConstraint(["message_row"], ["messages.id"], name="fk_message_files_message_row", ondelete="CASCADE"),
    )
