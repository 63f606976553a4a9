"""Tables of what people have said about being remembered. None holds what anybody said or is called."""

from datetime import datetime

from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow, Moment


class OptOutRow(BaseRow, table=True):
    """A person who is not to be remembered."""

    __tablename__ = "opt_outs"

    platform: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Moment)


class IntroductionRow(BaseRow, table=True):
    """A person, or a group, that was told what is remembered."""

    __tablename__ = "introductions"

    platform: str = Field(primary_key=True)
    space_id: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Moment)


class PassingRow(BaseRow, table=True):
    """A message that is let go of once it is answered, or an answer that is once it is sent."""

    __tablename__ = "passing_messages"

    message_row: int = Field(primary_key=True, sa_type=WHOLE, foreign_key="messages.id", ondelete="CASCADE")
    conversation: str = Field(index=True)
    at: datetime = Field(sa_type=Moment)
