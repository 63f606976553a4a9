"""Names dropped in messages."""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Executable, bindparam, select

from bot.domain.chat import Audience
from bot.domain.entity import EntityKind, EntityMention
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import EntityMentionRow

_MENTIONS = table_of(EntityMentionRow)
_COLUMN = _MENTIONS.c

_LAST = (
    select(_COLUMN.message_row, _COLUMN.name, _COLUMN.kind, _COLUMN.sentence)
    .where(
        _COLUMN.audience_kind == bindparam("audience_kind"),
        _COLUMN.audience_id == bindparam("audience_id"),
        _COLUMN.name_key == bindparam("name_key"),
    )
    .order_by(_COLUMN.message_row.desc(), _COLUMN.id.desc())
    .limit(bindparam("most"))
)


class SqlEntities:
    """Fulfils `bot.ports.store.Entities`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def add(self, audience: Audience, message_row: int, mentions: Sequence[EntityMention]) -> None:
        """Store the mentions of a message."""
        rows = [
            {
                "audience_kind": audience.kind.value,
                "audience_id": audience.id,
                "message_row": message_row,
                "name": mention.name,
                "name_key": mention.name.casefold(),
                "kind": mention.kind.value,
                "sentence": mention.sentence,
            }
            for mention in mentions
        ]
        if rows:
            await self._sql.run(_adding(self._sql.dialect), rows)

    async def mentions(self, audience: Audience, name: str, *, limit: int) -> Sequence[tuple[int, EntityMention]]:
        """Return the last mentions of a name."""
        values = {"audience_kind": audience.kind.value, "audience_id": audience.id, "name_key": name.casefold(), "most": limit}
        return [
            (row.message_row, EntityMention(row.name, EntityKind(row.kind), row.sentence)) for row in await self._sql.rows(_LAST, values)
        ]


@cache
def _adding(dialect: str) -> Executable:
    return insert_into(_MENTIONS, dialect).on_conflict_do_nothing(index_elements=["message_row", "name"])
