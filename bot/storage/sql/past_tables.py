"""Tables of a conversation's past: what is written about it, and what search reads."""

from datetime import datetime

from sqlalchemy import Index, LargeBinary, PrimaryKeyConstraint, UniqueConstraint
from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow, Moment, Words


class PastRow(BaseRow, table=True):
    """How far the background has come with a conversation."""

    __tablename__ = "pasts"

    conversation: str = Field(primary_key=True)
    generation: int
    building: int | None
    building_chunk_tokens: int
    checked_row: int = Field(sa_type=WHOLE)
    indexed_row: int = Field(sa_type=WHOLE)
    related_row: int = Field(sa_type=WHOLE)
    history_floor: int = Field(sa_type=WHOLE)
    summary_failures: int


class ChunkRow(BaseRow, table=True):
    """A stretch of a conversation with its summary, which is empty until it is written."""

    __tablename__ = "chunks"
    __table_args__ = (UniqueConstraint("conversation", "generation", "first_row", "depth"), Index(None, "condensed_into"))

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    conversation: str
    generation: int
    depth: int
    first_row: int = Field(sa_type=WHOLE)
    last_row: int = Field(sa_type=WHOLE)
    messages: int
    began_at: datetime = Field(sa_type=Moment)
    ended_at: datetime = Field(sa_type=Moment)
    summary: str = Field(sa_type=Words)
    state: str
    failures: int
    condensed_into: int | None = Field(sa_type=WHOLE)
    is_read: bool
    read_failures: int


class RollingSummaryRow(BaseRow, table=True):
    """A version of what a conversation has been about."""

    __tablename__ = "rolling_summaries"
    __table_args__ = (UniqueConstraint("conversation", "generation", "through_row"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    conversation: str
    generation: int
    through_row: int = Field(sa_type=WHOLE)
    text: str = Field(sa_type=Words)
    at: datetime = Field(sa_type=Moment)


class StructuredMemoryRow(BaseRow, table=True):
    """A searchable memory of a stretch of conversation; entities and key phrases are JSON."""

    __tablename__ = "structured_memories"
    __table_args__ = (Index(None, "conversation", "generation", "id"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    conversation: str
    generation: int
    title: str = Field(sa_type=Words)
    summary: str = Field(sa_type=Words)
    entities: str = Field(sa_type=Words)
    key_phrases: str = Field(sa_type=Words)
    first_row: int = Field(sa_type=WHOLE)
    last_row: int = Field(sa_type=WHOLE)
    at: datetime = Field(sa_type=Moment)


class LeaseRow(BaseRow, table=True):
    """Who does a piece of background work."""

    __tablename__ = "leases"

    name: str = Field(primary_key=True)
    owner: str
    until: datetime = Field(sa_type=Moment)


class CorpusRow(BaseRow, table=True):
    """The documents of one kind of a conversation. Each has a slot, given once and never to another."""

    __tablename__ = "corpora"
    __table_args__ = (UniqueConstraint("conversation", "kind"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    conversation: str
    kind: str
    slots: int = Field(sa_type=WHOLE)
    """How many slots were given."""
    version: int = Field(sa_type=WHOLE)
    """Rises when the corpus begins anew with slot 0."""
    changes: int = Field(sa_type=WHOLE)
    """Rises with every change; blocks and vectors bear the one that changed them last, so that a cache reads only what it does not know."""
    people: str = Field(sa_type=Words)
    """Who speaks there, as JSON; null where somebody does no more."""


class CorpusBlockRow(BaseRow, table=True):
    """Some hundred documents of a corpus, packed: id, time, speaker, length and kind of each slot."""

    __tablename__ = "corpus_blocks"
    __table_args__ = (PrimaryKeyConstraint("corpus_id", "block"), {"sqlite_with_rowid": False})

    corpus_id: int = Field(sa_type=WHOLE, foreign_key="corpora.id", ondelete="CASCADE")
    block: int = Field(sa_type=WHOLE)
    change: int = Field(sa_type=WHOLE)
    packed: bytes = Field(sa_type=LargeBinary)


class CorpusVectorRow(BaseRow, table=True):
    """The vectors of a block's documents: a byte a number, and what each length is divided by."""

    __tablename__ = "corpus_vectors"
    __table_args__ = (PrimaryKeyConstraint("corpus_id", "block"),)

    corpus_id: int = Field(sa_type=WHOLE, foreign_key="corpora.id", ondelete="CASCADE")
    block: int = Field(sa_type=WHOLE)
    change: int = Field(sa_type=WHOLE)
    embedder: str
    size: int
    """Numbers a vector has."""
    known: bytes = Field(sa_type=LargeBinary)
    """A byte a slot: 1 where there is a vector."""
    packed: bytes = Field(sa_type=LargeBinary)


class CorpusPostingRow(BaseRow, table=True):
    """Where a term stands in some thousand slots, packed: slot and count. Its key is the index that search walks."""

    __tablename__ = "corpus_postings"
    __table_args__ = (PrimaryKeyConstraint("corpus_id", "term", "block"), {"sqlite_with_rowid": False})

    corpus_id: int = Field(sa_type=WHOLE, foreign_key="corpora.id", ondelete="CASCADE")
    term: str
    block: int = Field(sa_type=WHOLE)
    packed: bytes = Field(sa_type=LargeBinary)
