"""What admins have set for a space."""

from collections.abc import Mapping
from functools import cache

from sqlalchemy import Executable, bindparam, delete, select

from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import SpaceSettingRow

_SETTINGS = table_of(SpaceSettingRow)
_COLUMN = _SETTINGS.c
_HERE = (_COLUMN.platform == bindparam("there")) & (_COLUMN.space_id == bindparam("space"))

_ALL = select(_COLUMN.name, _COLUMN.value).where(_HERE).order_by(_COLUMN.name)
_REMOVE = delete(_SETTINGS).where(_HERE, _COLUMN.name == bindparam("known"))


class SqlSpaceSettings:
    """Fulfils `bot.ports.store.SpaceSettings`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def all(self, platform: str, space_id: str) -> Mapping[str, str]:
        """Return the settings by name."""
        rows = await self._sql.rows(_ALL, {"there": platform, "space": space_id})
        return {row.name: row.value for row in rows}

    async def set(self, platform: str, space_id: str, name: str, value: str) -> None:
        """Keep a setting, or remove it."""
        if value:
            values = {"platform": platform, "space_id": space_id, "name": name, "value": value}
            await self._sql.run(_setting(self._sql.dialect), values)
        else:
            await self._sql.run(_REMOVE, {"there": platform, "space": space_id, "known": name})


@cache
def _setting(dialect: str) -> Executable:
    insert = insert_into(_SETTINGS, dialect)
    return insert.on_conflict_do_update(index_elements=["platform", "space_id", "name"], set_={"value": insert.excluded.value})
