"""First tables."""

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
    _create_memories()
    _create_journal()
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


def _create_memories() -> None:
    op.create_table(
        "memory_scopes",
        _key(),
        _column("persona_id"),
        _column("audience_kind"),
        _column("audience_id"),
        _column("last_number", WHOLE),
        sa.PrimaryKeyConstraint("id", name="pk_memory_scopes"),
        sa.UniqueConstraint("persona_id", "audience_kind", "audience_id", name="uq_memory_scopes_persona_id_audience_kind_audience_id"),
    )
    op.create_table(
        "memories",
        _key(),
        _column("uuid", sa.Uuid()),
        _column("scope_id", WHOLE),
        _column("number", WHOLE),
        _column("text"),
        *_person("subject", nullable=True),
        *_person("author"),
        _column("source_message_ids", sa.JSON()),
        _column("created_at", MOMENT),
        _column("updated_at", MOMENT),
        sa.ForeignKeyConstraint(["scope_id"], ["memory_scopes.id"], name="fk_memories_scope_id"),
        sa.PrimaryKeyConstraint("id", name="pk_memories"),
        sa.UniqueConstraint("scope_id", "number", name="uq_memories_scope_id_number"),
        sa.UniqueConstraint("uuid", name="uq_memories_uuid"),
    )
    op.create_index("ix_memories_scope_id_updated_at_number", "memories", ["scope_id", "updated_at", "number"])
    op.create_table(
        "memory_terms",
        _column("scope_id", WHOLE),
        _column("term"),
        _column("memory_row", WHOLE),
        sa.ForeignKeyConstraint(["memory_row"], ["memories.id"], name="fk_memory_terms_memory_row", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("scope_id", "term", "memory_row", name="pk_memory_terms"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_terms_memory_row", "memory_terms", ["memory_row"])


def _create_journal() -> None:
    op.create_table(
        "journal",
        _key(),
        _column("memory_id", sa.Uuid()),
        _column("scope_id", WHOLE),
        _column("number", WHOLE),
        *(_column(name) for name in ("actor", "reason", "before", "after")),
        _column("source_message_ids", sa.JSON()),
        _column("at", MOMENT),
        sa.ForeignKeyConstraint(["scope_id"], ["memory_scopes.id"], name="fk_journal_scope_id"),
        sa.PrimaryKeyConstraint("id", name="pk_journal"),
    )
    op.create_index("ix_journal_scope_id_id", "journal", ["scope_id", "id"])


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
