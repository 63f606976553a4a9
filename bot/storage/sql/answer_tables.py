"""Tables of what belongs to a persona's answers; each row goes with its answer."""

from sqlalchemy import Index, PrimaryKeyConstraint
from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow, Words


class AnswerPartRow(BaseRow, table=True):
    """A further message that a long answer fills on the platform. The id of the first stands with the answer itself."""

    __tablename__ = "answer_parts"
    __table_args__ = (PrimaryKeyConstraint("conversation", "message_id"), Index(None, "message_row", "number"))

    conversation: str
    message_id: str
    message_row: int = Field(sa_type=WHOLE, foreign_key="messages.id", ondelete="CASCADE")
    number: int
    """The first of them has 1."""


class AnswerRecallRow(BaseRow, table=True):
    """Which memories, and what of the past, stood in the prompt of an answer; kept for the last ones of each conversation."""

    __tablename__ = "answer_recalls"
    __table_args__ = (Index(None, "conversation", "message_row"),)

    message_row: int = Field(
        primary_key=True, sa_type=WHOLE, foreign_key="messages.id", ondelete="CASCADE", sa_column_kwargs={"autoincrement": False}
    )
    conversation: str
    notes: str = Field(sa_type=Words)
    """Number, reason and use of each, as JSON."""
    past: str = Field(sa_type=Words)
    """Kind, id and reason of each, as JSON; empty when there was nothing."""
