"""What admins have set for a space."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from sqlalchemy import Executable, bindparam, delete, func, select

from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of
from bot.storage.sql.tables import SpaceSettingRow

_SETTINGS = table_of(SpaceSettingRow)
_COLUMN = _SETTINGS.c
_HERE = (_COLUMN.platform == bindparam("there")) & (_COLUMN.space_id == bindparam("space"))

_ALL = select(_COLUMN.name, _COLUMN.value).where(_HERE).order_by(_COLUMN.name)
_EVERYWHERE = select(_SETTINGS).where(_COLUMN.name.in_(bindparam("names", expanding=True)))
_BEGINNING = select(_SETTINGS).where(func.substr(_COLUMN.name, 1, bindparam("length")) == bindparam("prefix"))
_REMOVE = delete(_SETTINGS).where(_HERE, _COLUMN.name == bindparam("known"))


class SqlSpaceSettings:
    """Fulfils `bot.ports.store.SpaceSettings`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def all(self, platform: str, space_id: str) -> Mapping[str, str]:
        """Return the settings by name."""
        rows = await self._sql.known_rows(_ALL, {"there": platform, "space": space_id})
        return {row.name: row.value for row in rows}

    async def held(self, platform: str, space_id: str) -> Mapping[str, str]:
        """Hold a space's settings, and return them."""
        await self._sql.hold(f"settings {platform} {space_id}")
        return await self.all(platform, space_id)

    async def everywhere(self, names: Collection[str]) -> Mapping[tuple[str, str], Mapping[str, str]]:
        """Return the settings of these names, by space."""
        return _by_space(await self._sql.rows(_EVERYWHERE, {"names": list(names)}))

    async def beginning(self, prefix: str) -> Mapping[tuple[str, str], Mapping[str, str]]:
        """Return the settings whose names begin like that, by space."""
        return _by_space(await self._sql.rows(_BEGINNING, {"length": len(prefix), "prefix": prefix}))

    async def set(self, platform: str, space_id: str, name: str, value: str) -> None:
        """Keep a setting, or remove it."""
        if value:
            values = {"platform": platform, "space_id": space_id, "name": name, "value": value}
            await self._sql.run(_setting(self._sql.dialect), values)
        else:
            await self._sql.run(_REMOVE, {"there": platform, "space": space_id, "known": name})


def _by_space(rows: Sequence[Fields]) -> Mapping[tuple[str, str], Mapping[str, str]]:
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        found.setdefault((row.platform, row.space_id), {})[row.name] = row.value
    return found


@cache
def _setting(dialect: str) -> Executable:
    insert = insert_into(_SETTINGS, dialect)
    return insert.on_conflict_do_update(index_elements=["platform", "space_id", "name"], set_={"value": insert.excluded.value})
