"""What is said: messages, replies on their way, bindings, tokens spent, names dropped."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")


def upgrade() -> None:
    _create_messages()
    _create_outbox()
    _create_bindings()
    _create_entity_mentions()
    _create_token_usage()


def _create_messages() -> None:
    op.create_table(
        "messages",
        _key(),
        _column("conversation"),
        _column("kind"),
        _column("message_id", nullable=True),
        _column("role"),
        *_person("author"),
        _column("text"),
        _column("sent_at", MOMENT),
        _column("state"),
        _column("addressed_to_bot", sa.Boolean()),
        _column("attempts", sa.Integer()),
        _column("persona_id"),
        _column("quote_message_id", nullable=True),
        *_person("quote_author", nullable=True),
        _column("quote_text", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sa.UniqueConstraint("conversation", "message_id", name="uq_messages_conversation_message_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_messages_conversation_id", "messages", ["conversation", "id"])
    waiting = sa.text("state = 'waiting'")
    op.create_index("ix_messages_waiting", "messages", ["conversation", "id"], sqlite_where=waiting, postgresql_where=waiting)


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        _key(),
        _column("conversation"),
        _column("kind"),
        _column("reply_to"),
        _column("text"),
        _column("parts_sent", sa.Integer()),
        _column("message_row", WHOLE),
        sa.ForeignKeyConstraint(["message_row"], ["messages.id"], name="fk_outbox_message_row"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_conversation_id", "outbox", ["conversation", "id"])


def _create_bindings() -> None:
    place = ("platform", "space_id", "channel_id", "thread_id")
    op.create_table(
        "bindings",
        *(_column(name) for name in place),
        _column("persona_id"),
        sa.PrimaryKeyConstraint(*place, name="pk_bindings"),
    )


def _create_entity_mentions() -> None:
    op.create_table(
        "entity_mentions",
        _key(),
        _column("audience_kind"),
        _column("audience_id"),
        _column("message_row", WHOLE),
        *(_column(name) for name in ("name", "name_key", "kind", "sentence")),
        sa.ForeignKeyConstraint(["message_row"], ["messages.id"], name="fk_entity_mentions_message_row", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_entity_mentions"),
        sa.UniqueConstraint("message_row", "name", name="uq_entity_mentions_message_row_name"),
    )
    op.create_index("ix_entity_mentions_name", "entity_mentions", ["audience_kind", "audience_id", "name_key", "message_row"])


def _create_token_usage() -> None:
    op.create_table(
        "token_usage",
        _key(),
        *(_column(name) for name in ("conversation", "persona_id", "model")),
        *(_column(name, WHOLE) for name in ("prompt_tokens", "reply_tokens", "cached_tokens")),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_token_usage"),
    )
    op.create_index("ix_token_usage_conversation", "token_usage", ["conversation"])


def _key() -> sa.Column[int]:
    return sa.Column("id", WHOLE, nullable=False)


def _column(name: str, kind: sa.types.TypeEngine[Any] | None = None, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind or sa.String(), nullable=nullable)


def _person(prefix: str, *, nullable: bool = False) -> list[sa.Column[Any]]:
    texts = [_column(f"{prefix}_{part}", nullable=nullable) for part in ("id", "name")]
    return texts + [_column(f"{prefix}_{part}", sa.Boolean(), nullable=nullable) for part in ("is_bot", "is_service")]
