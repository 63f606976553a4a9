"""What is known of names, and what holds between them.

Mentions of before are dropped: nothing has read them, and the background finds them again in the messages.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision: str | None = "0004"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")
AUDIENCE = ["audience_kind", "audience_id"]


def upgrade() -> None:
    op.drop_table("entity_mentions")
    _create_entities()
    _create_relations()


def _create_entities() -> None:
    op.create_table(
        "entities",
        _column("id", WHOLE),
        *(_column(name) for name in (*AUDIENCE, "name", "kinds", "aliases")),
        _column("mentions", sa.Integer()),
        _column("last_row", WHOLE),
        _column("person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_entities"),
    )
    op.create_index("ix_entities_last_row", "entities", [*AUDIENCE, "last_row"])
    op.create_index("ix_entities_person_id", "entities", [*AUDIENCE, "person_id"])
    op.create_table(
        "entity_keys",
        *(_column(name) for name in (*AUDIENCE, "name_key")),
        _column("entity_id", WHOLE),
        sa.ForeignKeyConstraint(["entity_id"], ["entities.id"], name="fk_entity_keys_entity_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint(*AUDIENCE, "name_key", "entity_id", name="pk_entity_keys"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entity_keys_entity_id", "entity_keys", ["entity_id"])
    op.create_table(
        "entity_mentions",
        *(_column(name, WHOLE) for name in ("entity_id", "message_row")),
        *(_column(name) for name in ("name", "kind", "sentence")),
        sa.ForeignKeyConstraint(["entity_id"], ["entities.id"], name="fk_entity_mentions_entity_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["message_row"], ["messages.id"], name="fk_entity_mentions_message_row", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("entity_id", "message_row", name="pk_entity_mentions"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entity_mentions_message_row", "entity_mentions", ["message_row"])


def _create_relations() -> None:
    names = (*AUDIENCE, "subject_key", "subject", "subject_person", "predicate", "object_key", "object", "object_person", "evidence")
    op.create_table(
        "relations",
        _column("id", WHOLE),
        *(_column(name) for name in names),
        _column("source_row", WHOLE),
        _column("valid_from", MOMENT),
        _column("valid_to", MOMENT, nullable=True),
        _column("holds", sa.Boolean()),
        _column("ended_by_row", WHOLE, nullable=True),
        sa.ForeignKeyConstraint(["source_row"], ["messages.id"], name="fk_relations_source_row", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["ended_by_row"], ["messages.id"], name="fk_relations_ended_by_row", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_relations"),
    )
    source = ["source_row", "predicate", "subject_key", "object_key", *AUDIENCE]
    op.create_index("uq_relations_source", "relations", source, unique=True)
    for end in ("subject", "object"):
        op.create_index(f"ix_relations_{end}", "relations", [*AUDIENCE, f"{end}_key", "holds", "valid_from", "source_row"])
    op.create_index("ix_relations_kind", "relations", [*AUDIENCE, "subject_key", "predicate", "object_key"])
    op.create_index("ix_relations_person", "relations", [*AUDIENCE, "subject_person", "predicate", "object_key"])
    op.create_index("ix_relations_ended_by_row", "relations", ["ended_by_row"])


def _column(name: str, kind: sa.types.TypeEngine[Any] | None = None, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind or sa.String(), nullable=nullable)
