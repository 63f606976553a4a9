"""Personas of a space's own, their pictures, the categories of channels, and drafts of answers."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision: str | None = "0010"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "space_personas",
        *_texts("platform", "space_id", "persona_id"),
        sa.Column("number", WHOLE, nullable=False),
        *_texts("audience_space"),
        sa.Column("is_last", sa.Boolean(), nullable=False),
        *_texts("text", "by_id", "by_name"),
        sa.Column("at", sa.String().with_variant(sa.DateTime(timezone=True), "postgresql"), nullable=False),
        *_texts("reason"),
        sa.PrimaryKeyConstraint("platform", "space_id", "persona_id", "number", name="pk_space_personas"),
    )
    op.create_index("ix_space_personas_audience_space", "space_personas", ["audience_space"])
    op.create_table(
        "avatars",
        *_texts("platform", "space_id", "persona_id", "media_type"),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "space_id", "persona_id", name="pk_avatars"),
    )
    op.create_table(
        "channel_categories",
        *_texts("platform", "space_id", "channel_id", "category_id"),
        sa.PrimaryKeyConstraint("platform", "space_id", "channel_id", name="pk_channel_categories"),
    )
    op.add_column("outbox", sa.Column("draft_id", sa.String(), nullable=False, server_default=""))
    op.add_column("outbox", sa.Column("as_file", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table("drafts", *_texts("conversation", "message_id"), sa.PrimaryKeyConstraint("conversation", name="pk_drafts"))


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]
