"""Every message that shows a long answer, and what stood in the prompts of the last answers."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision: str | None = "0014"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "answer_parts",
        sa.Column("conversation", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("message_row", WHOLE, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("conversation", "message_id", name="pk_answer_parts"),
        sa.ForeignKeyConstraint(["message_row"], ["messages.id"], name="fk_answer_parts_message_row", ondelete="CASCADE"),
    )
    op.create_index("ix_answer_parts_message_row_number", "answer_parts", ["message_row", "number"])
    op.create_table(
        "answer_recalls",
        sa.Column("message_row", WHOLE, autoincrement=False, nullable=False),
        sa.Column("conversation", sa.String(), nullable=False),
        sa.Column("notes", sa.String(), nullable=False),
        sa.Column("past", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("message_row", name="pk_answer_recalls"),
        sa.ForeignKeyConstraint(["message_row"], ["messages.id"], name="fk_answer_recalls_message_row", ondelete="CASCADE"),
    )
    op.create_index("ix_answer_recalls_conversation_message_row", "answer_recalls", ["conversation", "message_row"])
    op.execute(
        "INSERT INTO answer_recalls (message_row, conversation, notes, past) SELECT message_row, conversation, notes, past FROM recalls"
    )
    op.execute("DELETE FROM recalls")
