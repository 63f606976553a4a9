"""The table of what was spent, day by day."""

from datetime import date

from sqlalchemy import Date, Index
from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow


class UsageDayRow(BaseRow, table=True):
    """The tokens that a persona has used in a space on a day of UTC. Counts only: what they were used for stands nowhere.

    The index holds the sums themselves: a persona may have a row for each of very many spaces a day.
    """

    __tablename__ = "usage_days"
    __table_args__ = (Index(None, "persona_id", "day", "prompt_tokens", "reply_tokens"),)

    platform: str = Field(primary_key=True)
    space_id: str = Field(primary_key=True)
    persona_id: str = Field(primary_key=True)
    day: date = Field(primary_key=True, sa_type=Date)
    prompt_tokens: int = Field(sa_type=WHOLE)
    reply_tokens: int = Field(sa_type=WHOLE)
    cached_tokens: int = Field(sa_type=WHOLE)
