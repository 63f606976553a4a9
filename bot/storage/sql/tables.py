"""All tables. A change here needs a migration; a test holds the two equal on both databases."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    Date,
    DateTime,
    Double,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import String, TypeDecorator, TypeEngine
from sqlmodel import Field, SQLModel

from bot.domain.text import storable

WHOLE = BigInteger().with_variant(Integer(), "sqlite")
"""Numbers that rise for ever; SQLite has one kind of integer."""
UNWEIGHED = 2**62
"""A moment that never comes: what older programs store beside a running upgrade does not fade before it is stored anew."""


class Words(TypeDecorator[str]):
    """Text that people or models wrote, kept without what no database takes."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy sets the signature
        """Return the text as it is kept."""
        return None if value is None else storable(value)


class Moment(TypeDecorator[datetime]):
    """A point in time, aware and in UTC. SQLite has no such type: there it is ISO text, which sorts as time does."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the column's type."""
        return dialect.type_descriptor(String() if dialect.name == "sqlite" else DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | str | None:
        """Return the moment as it is kept. Raises ValueError for one that is not aware."""
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError(f"{value!r} has no time zone; take times from the clock.")
        moment = value.astimezone(UTC)
        return moment.isoformat(" ", timespec="microseconds") if dialect.name == "sqlite" else moment

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None] | None:  # noqa: ARG002 - SQLAlchemy sets the signature
        """Return what makes a moment of a column's value."""
        return _from_text if dialect.name == "sqlite" else _in_utc


def _from_text(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


def _in_utc(value: datetime | None) -> datetime | None:
    return None if value is None else value.astimezone(UTC)


class BaseRow(SQLModel):
    """The root of all tables. A person stands in four columns of one prefix, such as `author_`."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class MessageRow(BaseRow, table=True):
    """What was said. The message id is null until the platform gives one: nulls never clash."""

    __tablename__ = "messages"
    __table_args__ = (
        UniqueConstraint("conversation", "message_id"),
        Index(None, "conversation", "id"),
        Index(
            "ix_messages_waiting",
            "conversation",
            "id",
            sqlite_where=text("state = 'waiting'"),
            postgresql_where=text("state = 'waiting'"),
        ),
        Index("ix_messages_line", "id", sqlite_where=text("state = 'waiting'"), postgresql_where=text("state = 'waiting'")),
        Index(
            "ix_messages_author", "author_id", "conversation", sqlite_where=text("role = 'user'"), postgresql_where=text("role = 'user'")
        ),
        Index(
            "ix_messages_quoted",
            "quote_author_id",
            "conversation",
            sqlite_where=text("quote_author_id IS NOT NULL"),
            postgresql_where=text("quote_author_id IS NOT NULL"),
        ),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    conversation: str
    kind: str
    message_id: str | None
    role: str
    author_id: str
    author_name: str = Field(sa_type=Words)
    author_is_bot: bool
    author_is_service: bool
    text: str = Field(sa_type=Words)
    sent_at: datetime = Field(sa_type=Moment)
    state: str
    addressed_to_bot: bool
    attempts: int
    persona_id: str
    quote_message_id: str | None
    quote_author_id: str | None
    quote_author_name: str | None = Field(sa_type=Words)
    quote_author_is_bot: bool | None
    quote_author_is_service: bool | None
    quote_text: str | None = Field(sa_type=Words)
    history_start: int = Field(sa_type=WHOLE, sa_column_kwargs={"server_default": "0"})
    is_public: bool = Field(sa_column_kwargs={"server_default": false()})


class MemoryScopeRow(BaseRow, table=True):
    """A wall between memories. The row outlives them, so that no number comes twice."""

    __tablename__ = "memory_scopes"
    __table_args__ = (UniqueConstraint("persona_id", "audience_kind", "audience_id"), Index(None, "audience_kind", "audience_id"))

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    persona_id: str
    audience_kind: str
    audience_id: str
    last_number: int = Field(sa_type=WHOLE)
    fold: str | None = Field(sa_type=Words)
    """The working block as JSON."""


class MemoryRow(BaseRow, table=True):
    """One fact."""

    __tablename__ = "memories"
    __table_args__ = (
        UniqueConstraint("scope_id", "number"),
        Index("ix_memories_level", "scope_id", "level", "ended_at", "group_name", "pinned", "importance", "weighed_micros", "number"),
        Index("ix_memories_used", "scope_id", "number", sqlite_where=text("uses > 0"), postgresql_where=text("uses > 0")),
        Index(None, "scope_id", "text_digest"),
        Index(None, "scope_id", "author_id", "created_at"),
        Index("ix_memories_author", "author_id", "scope_id"),
        Index(
            "ix_memories_subject",
            "subject_id",
            "scope_id",
            sqlite_where=text("subject_id IS NOT NULL"),
            postgresql_where=text("subject_id IS NOT NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    uuid: UUID = Field(unique=True)
    scope_id: int = Field(sa_type=WHOLE, foreign_key="memory_scopes.id")
    number: int = Field(sa_type=WHOLE)
    text: str = Field(sa_type=Words)
    subject_id: str | None
    subject_name: str | None = Field(sa_type=Words)
    subject_is_bot: bool | None
    subject_is_service: bool | None
    author_id: str
    author_name: str = Field(sa_type=Words)
    author_is_bot: bool
    author_is_service: bool
    source_message_ids: list[int] = Field(sa_type=JSON)
    created_at: datetime = Field(sa_type=Moment)
    updated_at: datetime = Field(sa_type=Moment)
    level: int = Field(sa_column_kwargs={"server_default": "1"})
    importance: float = Field(sa_type=Double, sa_column_kwargs={"server_default": "0.75"})
    weighed_at: datetime | None = Field(sa_type=Moment)
    uses: int = Field(sa_column_kwargs={"server_default": "0"})
    used_at: datetime | None = Field(sa_type=Moment)
    pinned: bool = Field(sa_column_kwargs={"server_default": false()})
    group_name: str = Field(sa_type=Words, sa_column_kwargs={"server_default": ""})
    ended_at: datetime | None = Field(sa_type=Moment)
    weighed_micros: int = Field(sa_type=WHOLE, sa_column_kwargs={"server_default": str(UNWEIGHED)})
    """When it was weighed, else created, in microseconds since 1970: fading is reckoned from it, as exactly as Python does."""
    text_digest: str = Field(sa_column_kwargs={"server_default": ""})
    """Equal where texts say the same; of one length, which indexes need."""


class MemoryTermRow(BaseRow, table=True):
    """A term that a memory is found by. Its key is the index that search walks."""

    __tablename__ = "memory_terms"
    __table_args__ = (PrimaryKeyConstraint("scope_id", "term", "memory_row"), {"sqlite_with_rowid": False})

    scope_id: int = Field(sa_type=WHOLE)
    term: str
    memory_row: int = Field(sa_type=WHOLE, index=True, foreign_key="memories.id", ondelete="CASCADE")


class JournalRow(BaseRow, table=True):
    """One change of one memory, with the whole memory before and after as JSON; empty where there was none, or where it is forgotten."""

    __tablename__ = "journal"
    __table_args__ = (
        Index(None, "scope_id", "id"),
        Index(None, "scope_id", "number", "id"),
        Index(None, "memory_id"),
        Index("ix_journal_run", "run", "id", sqlite_where=text("run <> ''"), postgresql_where=text("run <> ''")),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    memory_id: UUID
    scope_id: int = Field(sa_type=WHOLE, foreign_key="memory_scopes.id")
    number: int = Field(sa_type=WHOLE)
    actor: str
    reason: str = Field(sa_type=Words)
    before: str = Field(sa_type=Words)
    after: str = Field(sa_type=Words)
    source_message_ids: list[int] = Field(sa_type=JSON)
    at: datetime = Field(sa_type=Moment)
    run: str = Field(sa_column_kwargs={"server_default": ""})


class OutboxRow(BaseRow, table=True):
    """A reply on its way out. Platforms drop doubles by its id, which is therefore never used again."""

    __tablename__ = "outbox"
    __table_args__ = (Index(None, "conversation", "id"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    conversation: str
    kind: str
    reply_to: str
    text: str = Field(sa_type=Words)
    parts_sent: int
    message_row: int = Field(sa_type=WHOLE, foreign_key="messages.id")
    draft_id: str = Field(sa_column_kwargs={"server_default": ""})
    as_file: bool = Field(sa_column_kwargs={"server_default": false()})


class BindingRow(BaseRow, table=True):
    """The persona of a place."""

    __tablename__ = "bindings"

    platform: str = Field(primary_key=True)
    space_id: str = Field(primary_key=True)
    channel_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    persona_id: str


class UsageRow(BaseRow, table=True):
    """What one generation cost."""

    __tablename__ = "token_usage"

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    conversation: str = Field(index=True)
    persona_id: str
    model: str
    prompt_tokens: int = Field(sa_type=WHOLE)
    reply_tokens: int = Field(sa_type=WHOLE)
    cached_tokens: int = Field(sa_type=WHOLE)
    at: datetime = Field(sa_type=Moment)


class RecallRow(BaseRow, table=True):
    """What the release before keeps of a conversation's last reply alone. Nobody reads it any more; the next release drops it."""

    __tablename__ = "recalls"

    conversation: str = Field(primary_key=True)
    message_row: int = Field(sa_type=WHOLE, index=True, foreign_key="messages.id", ondelete="CASCADE")
    notes: str = Field(sa_type=Words)
    """Number, reason and use of each, as JSON."""
    past: str = Field(sa_type=Words, sa_column_kwargs={"server_default": ""})
    """Kind, id and reason of each, as JSON; empty when there was nothing."""


class JobClaimRow(BaseRow, table=True):
    """That a job of some day is taken."""

    __tablename__ = "job_claims"

    job: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    day: date = Field(primary_key=True, sa_type=Date)
    at: datetime = Field(sa_type=Moment)


class JobRecordRow(BaseRow, table=True):
    """How a run of a job went."""

    __tablename__ = "job_records"
    __table_args__ = (Index(None, "subject", "job", "started_at"), Index(None, "started_at"))

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    run: str = Field(unique=True)
    job: str
    subject: str
    state: str
    started_at: datetime = Field(sa_type=Moment)
    seconds: float = Field(sa_type=Double)
    reason: str = Field(sa_type=Words)
    counts: dict[str, int] | None = Field(sa_type=JSON(none_as_null=True))
    diary: str = Field(sa_type=Words)


class SpaceSettingRow(BaseRow, table=True):
    """What admins have set for a space."""

    __tablename__ = "space_settings"

    platform: str = Field(primary_key=True)
    space_id: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    value: str = Field(sa_type=Words)
