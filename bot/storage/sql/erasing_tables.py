"""Tables of what is being erased, and of what must not come back. None holds what anybody said."""

from datetime import datetime

from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow, Moment, Words


class ErasureRow(BaseRow, table=True):
    """An erasure that is not at its end: the target and what was counted so far, as JSON."""

    __tablename__ = "erasures"

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    target: str = Field(sa_type=Words)
    state: str
    counts: str
    at: datetime = Field(sa_type=Moment)


class ErasureStampRow(BaseRow, table=True):
    """When something was last erased of a conversation or an audience, which is a digest here."""

    __tablename__ = "erasure_stamps"

    place: str = Field(primary_key=True)
    stamp: int = Field(sa_type=WHOLE)
    at: datetime = Field(sa_type=Moment, index=True)


class ErasedMessageRow(BaseRow, table=True):
    """A message, as a digest of its place and id, that is not to be recorded again, and no quote of it. Kept for good."""

    __tablename__ = "erased_messages"

    message: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Moment, index=True)


class TombstoneRow(BaseRow, table=True):
    """What was erased, as a digest that is kept for good, and when: a memory by its id, a person, a place, an audience."""

    __tablename__ = "tombstones"

    what: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Moment)


class DepartureRow(BaseRow, table=True):
    """A space that the bot has left."""

    __tablename__ = "departures"

    platform: str = Field(primary_key=True)
    space_id: str = Field(primary_key=True)
    at: datetime = Field(sa_type=Moment)
