"""The table of files that are still to be looked at."""

from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow, Words


class MessageFilesRow(BaseRow, table=True):
    """Where the files of a message that waits for an answer can be had; gone as soon as they are looked at."""

    __tablename__ = "message_files"

    message_row: int = Field(primary_key=True, sa_type=WHOLE, foreign_key="messages.id", ondelete="CASCADE")
    files: str = Field(sa_type=Words)
    """As JSON: name, kind, size, address, and how long a recording is."""
