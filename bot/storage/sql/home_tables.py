"""Tables of what admins make a space their home with, and of drafts."""

from datetime import datetime

from sqlalchemy import LargeBinary
from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow, Moment, Words


class SpacePersonaRow(BaseRow, table=True):
    """One state of a persona that a space has made its own. Only the last one counts; without a text the space has none."""

    __tablename__ = "space_personas"

    platform: str = Field(primary_key=True)
    space_id: str = Field(primary_key=True)
    persona_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_type=WHOLE)
    audience_space: str = Field(index=True)
    is_last: bool
    text: str = Field(sa_type=Words)
    """As in a persona file."""
    by_id: str
    by_name: str = Field(sa_type=Words)
    at: datetime = Field(sa_type=Moment)
    reason: str = Field(sa_type=Words)


class AvatarRow(BaseRow, table=True):
    """The picture that a space gave a persona."""

    __tablename__ = "avatars"

    platform: str = Field(primary_key=True)
    space_id: str = Field(primary_key=True)
    persona_id: str = Field(primary_key=True)
    media_type: str
    content: bytes = Field(sa_type=LargeBinary)


class CategoryRow(BaseRow, table=True):
    """The category that a channel is in."""

    __tablename__ = "channel_categories"

    platform: str = Field(primary_key=True)
    space_id: str = Field(primary_key=True)
    channel_id: str = Field(primary_key=True)
    category_id: str


class DraftRow(BaseRow, table=True):
    """The message on the platform that shows a conversation's unfinished answer."""

    __tablename__ = "drafts"

    conversation: str = Field(primary_key=True)
    message_id: str
