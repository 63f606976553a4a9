"""Who does a piece of background work."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import ColumnElement, Executable, Float, bindparam, delete, func, literal, or_, select, type_coerce

from bot.domain.past import Lease
from bot.storage.sql.past_tables import LeaseRow
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import Moment

_LEASES = table_of(LeaseRow)
_COLUMN = _LEASES.c

_RELEASE = delete(_LEASES).where(_COLUMN.name == bindparam("lease"), _COLUMN.owner == bindparam("holder"))
_ALL = select(_COLUMN.name, _COLUMN.owner, _COLUMN.until)


class SqlLeases:
    """Fulfils `bot.ports.past.Leases`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def take(self, name: str, owner: str, *, lasts: timedelta) -> bool:
        """Take or renew a lease, in one statement: of two that try at once, the second sees what the first did."""
        values = {"lease": name, "holder": owner, "lasts": lasts.total_seconds()}
        return await self._sql.row(_taking(self._sql.dialect), values) is not None

    async def release(self, name: str, owner: str) -> None:
        """Give a lease back."""
        await self._sql.run(_RELEASE, {"lease": name, "holder": owner})

    async def all(self) -> Sequence[Lease]:
        """Return all leases."""
        return sorted((Lease(*row) for row in await self._sql.rows(_ALL, {})), key=lambda lease: lease.name)


@cache
def _taking(dialect: str) -> Executable:
    lasts = bindparam("lasts", type_=Float)
    insert = insert_into(_LEASES, dialect).values(name=bindparam("lease"), owner=bindparam("holder"), until=_from_now(dialect, lasts))
    return insert.on_conflict_do_update(
        index_elements=["name"],
        set_={"owner": insert.excluded.owner, "until": insert.excluded.until},
        where=or_(_COLUMN.owner == insert.excluded.owner, _COLUMN.until <= _from_now(dialect, literal(0.0))),
    ).returning(_COLUMN.owner)


def _from_now(dialect: str, seconds: ColumnElement[float]) -> ColumnElement[datetime]:
    """Return the moment so many seconds from now, by the clock of the database; a file's is that of its machine."""
    if dialect == "sqlite":
        return type_coerce(func.strftime("%Y-%m-%d %H:%M:%f000+00:00", "now", func.printf("%+.3f seconds", seconds)), Moment)
    return type_coerce(func.clock_timestamp() + func.make_interval(0, 0, 0, 0, 0, 0, seconds), Moment)
