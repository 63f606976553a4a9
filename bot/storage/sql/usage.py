"""Tokens spent."""

from datetime import UTC, date, datetime
from functools import cache

from sqlalchemy import BigInteger, Executable, bindparam, cast, func, insert, select

from bot.domain.chat import ConversationKey
from bot.domain.model import Usage
from bot.storage.sql.limits_tables import UsageDayRow
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import UsageRow

_USAGE, _DAYS = table_of(UsageRow), table_of(UsageDayRow)
_COLUMN, _DAY = _USAGE.c, _DAYS.c
_TOKENS = ("prompt_tokens", "reply_tokens", "cached_tokens")

_ADD = insert(_USAGE)
_TOTALS = select(*(cast(func.coalesce(func.sum(_COLUMN[name]), 0), BigInteger) for name in _TOKENS)).where(
    _COLUMN.conversation == bindparam("conversation")
)
_SINCE = select(cast(func.coalesce(func.sum(_DAY.prompt_tokens + _DAY.reply_tokens), 0), BigInteger)).where(_DAY.day >= bindparam("since"))
_HERE = (_DAY.platform == bindparam("there")) & (_DAY.space_id == bindparam("space"))
_BY = _DAY.persona_id == bindparam("persona")
_SPENT = {(True, False): _SINCE.where(_HERE), (True, True): _SINCE.where(_HERE, _BY), (False, True): _SINCE.where(_BY)}
"""By whether a space is named, and whether a persona is."""


class SqlUsageLog:
    """Fulfils `bot.ports.store.UsageLog`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def add(self, conversation: ConversationKey, persona_id: str, usage: Usage, at: datetime) -> None:
        """Note what a generation cost, by itself and in the sums of its day."""
        tokens = {name: getattr(usage, name) for name in _TOKENS}
        of_one = {"conversation": str(conversation), "persona_id": persona_id, "model": usage.model, "at": at, **tokens}
        await self._sql.run(_ADD, of_one)
        day = {"platform": conversation.platform, "space_id": conversation.space_id, "day": at.astimezone(UTC).date()}
        await self._sql.run(_adding(self._sql.dialect), {**day, "persona_id": persona_id, **tokens})

    async def totals(self, conversation: ConversationKey) -> Usage:
        """Return the sums of a conversation."""
        ((prompt, reply, cached),) = await self._sql.rows(_TOTALS, {"conversation": str(conversation)})
        return Usage(model="", prompt_tokens=prompt, reply_tokens=reply, cached_tokens=cached)

    async def spent(self, since: date, *, space: tuple[str, str] | None = None, persona_id: str = "") -> int:
        """Return the tokens of prompts and replies since a day."""
        statement = _SPENT.get((space is not None, bool(persona_id)))
        if statement is None:
            raise ValueError("Name a space, a persona, or both.")
        values: dict[str, object] = {"since": since}
        if space is not None:
            values |= {"there": space[0], "space": space[1]}
        if persona_id:
            values["persona"] = persona_id
        ((tokens,),) = await self._sql.rows(statement, values)
        return int(tokens)


@cache
def _adding(dialect: str) -> Executable:
    added = insert_into(_DAYS, dialect)
    sums = {name: _DAY[name] + added.excluded[name] for name in _TOKENS}
    return added.on_conflict_do_update(index_elements=["platform", "space_id", "persona_id", "day"], set_=sums)
