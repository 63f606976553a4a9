"""Tokens spent."""

from datetime import datetime

from sqlalchemy import BigInteger, bindparam, cast, func, insert, select

from bot.domain.chat import ConversationKey
from bot.domain.model import Usage
from bot.storage.sql.session import SqlSession, table_of
from bot.storage.sql.tables import UsageRow

_USAGE = table_of(UsageRow)
_COLUMN = _USAGE.c

_ADD = insert(_USAGE)
_TOTALS = select(
    *(cast(func.coalesce(func.sum(_COLUMN[name]), 0), BigInteger) for name in ("prompt_tokens", "reply_tokens", "cached_tokens"))
).where(_COLUMN.conversation == bindparam("conversation"))


class SqlUsageLog:
    """Fulfils `bot.ports.store.UsageLog`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def add(self, conversation: ConversationKey, persona_id: str, usage: Usage, at: datetime) -> None:
        """Note what a generation cost."""
        values = {
            "conversation": str(conversation),
            "persona_id": persona_id,
            "model": usage.model,
            "prompt_tokens": usage.prompt_tokens,
            "reply_tokens": usage.reply_tokens,
            "cached_tokens": usage.cached_tokens,
            "at": at,
        }
        await self._sql.run(_ADD, values)

    async def totals(self, conversation: ConversationKey) -> Usage:
        """Return the sums of a conversation."""
        ((prompt, reply, cached),) = await self._sql.rows(_TOTALS, {"conversation": str(conversation)})
        return Usage(model="", prompt_tokens=prompt, reply_tokens=reply, cached_tokens=cached)
