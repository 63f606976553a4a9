"""What the schema says of itself."""

from sqlmodel import Field

from bot.storage.sql.tables import BaseRow


class SupportRow(BaseRow, table=True):
    """The revision of the oldest program that works on this schema; one row."""

    __tablename__ = "schema_support"

    oldest: str = Field(primary_key=True)
