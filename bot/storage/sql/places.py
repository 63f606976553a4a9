"""Which category a channel is in, and spaces that get another id."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import Executable, bindparam, select

from bot.domain.chat import ConversationKey
from bot.storage.sql.home_tables import CategoryRow
from bot.storage.sql.moving import move_space
from bot.storage.sql.moving_places import Move
from bot.storage.sql.session import SqlSession, insert_into, table_of

_CATEGORIES = table_of(CategoryRow)
_PLACE = ("platform", "space_id", "channel_id")
_FIND = select(_CATEGORIES.c.category_id).where(*(_CATEGORIES.c[name] == bindparam(f"the_{name}") for name in _PLACE))


class SqlPlaces:
    """Fulfils `bot.ports.personas.Places`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def category(self, conversation: ConversationKey) -> str:
        """Return the category of a conversation's channel."""
        rows = await self._sql.known_rows(_FIND, {f"the_{name}": getattr(conversation, name) for name in _PLACE})
        return str(rows[0].category_id) if rows else ""

    async def note(self, conversation: ConversationKey, category_id: str) -> None:
        """Keep the category of a conversation's channel."""
        values = {name: getattr(conversation, name) for name in _PLACE}
        await self._sql.run(_noting(self._sql.dialect), {**values, "category_id": category_id})

    async def move(self, platform: str, old_space: str, new_space: str, at: datetime) -> Sequence[ConversationKey]:
        """Let a space go on under another id."""
        return await move_space(self._sql, Move(platform, old_space, new_space), at)


@cache
def _noting(dialect: str) -> Executable:
    noting = insert_into(_CATEGORIES, dialect)
    return noting.on_conflict_do_update(index_elements=_PLACE, set_={"category_id": noting.excluded.category_id})
