"""What is written about a conversation's past, and what search reads. What was said before is indexed by the background, step by step."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision: str | None = "0003"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")


def upgrade() -> None:
    op.add_column("recalls", sa.Column("past", sa.String(), nullable=False, server_default=""))
    _create_chunks()
    _create_written()
    _create_corpora()


def _create_chunks() -> None:
    op.create_table(
        "pasts",
        _column("conversation"),
        _column("generation", sa.Integer()),
        _column("building", sa.Integer(), nullable=True),
        _column("building_chunk_tokens", sa.Integer()),
        *(_column(name, WHOLE) for name in ("checked_row", "indexed_row", "related_row", "history_floor")),
        _column("summary_failures", sa.Integer()),
        sa.PrimaryKeyConstraint("conversation", name="pk_pasts"),
    )
    op.create_table(
        "chunks",
        _column("id", WHOLE),
        _column("conversation"),
        *(_column(name, sa.Integer()) for name in ("generation", "depth")),
        *(_column(name, WHOLE) for name in ("first_row", "last_row")),
        _column("messages", sa.Integer()),
        *(_column(name, MOMENT) for name in ("began_at", "ended_at")),
        *(_column(name) for name in ("summary", "state")),
        _column("failures", sa.Integer()),
        _column("condensed_into", WHOLE, nullable=True),
        _column("is_read", sa.Boolean()),
        _column("read_failures", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_chunks"),
        sa.UniqueConstraint("conversation", "generation", "first_row", "depth", name="uq_chunks_conversation_generation_first_row_depth"),
    )
    op.create_index("ix_chunks_condensed_into", "chunks", ["condensed_into"])


def _create_written() -> None:
    op.create_table(
        "rolling_summaries",
        _column("id", WHOLE),
        _column("conversation"),
        _column("generation", sa.Integer()),
        _column("through_row", WHOLE),
        _column("text"),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_rolling_summaries"),
        sa.UniqueConstraint("conversation", "generation", "through_row", name="uq_rolling_summaries_conversation_generation_through_row"),
    )
    op.create_table(
        "structured_memories",
        _column("id", WHOLE),
        _column("conversation"),
        _column("generation", sa.Integer()),
        *(_column(name) for name in ("title", "summary", "entities", "key_phrases")),
        *(_column(name, WHOLE) for name in ("first_row", "last_row")),
        _column("at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_structured_memories"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_structured_memories_conversation_generation_id", "structured_memories", ["conversation", "generation", "id"])
    op.create_table(
        "leases",
        *(_column(name) for name in ("name", "owner")),
        _column("until", MOMENT),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )


def _create_corpora() -> None:
    op.create_table(
        "corpora",
        _column("id", WHOLE),
        *(_column(name) for name in ("conversation", "kind")),
        *(_column(name, WHOLE) for name in ("slots", "version", "changes")),
        _column("people"),
        sa.PrimaryKeyConstraint("id", name="pk_corpora"),
        sa.UniqueConstraint("conversation", "kind", name="uq_corpora_conversation_kind"),
    )
    _create_packed("corpus_blocks", ["block"], _column("block", WHOLE), _column("change", WHOLE), sqlite_with_rowid=False)
    numbers = (_column("block", WHOLE), _column("change", WHOLE))
    _create_packed(
        "corpus_vectors", ["block"], *numbers, _column("embedder"), _column("size", sa.Integer()), _column("known", sa.LargeBinary())
    )
    _create_packed("corpus_postings", ["term", "block"], _column("term"), _column("block", WHOLE), sqlite_with_rowid=False)


def _create_packed(table: str, key: list[str], *columns: sa.Column[Any], **options: bool) -> None:
    op.create_table(
        table,
        _column("corpus_id", WHOLE),
        *columns,
        _column("packed", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["corpus_id"], ["corpora.id"], name=f"fk_{table}_corpus_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("corpus_id", *key, name=f"pk_{table}"),
        **options,
    )


def _column(name: str, kind: sa.types.TypeEngine[Any] | None = None, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind or sa.String(), nullable=nullable)
