"""The table of what waits to be approved."""

from datetime import datetime

from sqlalchemy import JSON, Double, Index, UniqueConstraint
from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow, Moment, Words


class PendingMemoryRow(BaseRow, table=True):
    """A text that is no memory yet, under the number that is reserved for it."""

    __tablename__ = "pending_memories"
    __table_args__ = (UniqueConstraint("scope_id", "number"), Index(None, "scope_id", "author_id", "number"))

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    scope_id: int = Field(sa_type=WHOLE, foreign_key="memory_scopes.id")
    number: int = Field(sa_type=WHOLE)
    text: str = Field(sa_type=Words)
    author_id: str
    author_name: str = Field(sa_type=Words)
    author_is_bot: bool
    author_is_service: bool
    subject_id: str | None
    subject_name: str | None = Field(sa_type=Words)
    subject_is_bot: bool | None
    subject_is_service: bool | None
    source_message_ids: list[int] = Field(sa_type=JSON)
    reason: str
    at: datetime = Field(sa_type=Moment)
    importance: float = Field(sa_type=Double)
    group_name: str = Field(sa_type=Words)
