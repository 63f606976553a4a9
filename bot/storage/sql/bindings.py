"""Which persona speaks where."""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Executable, bindparam, select, tuple_

from bot.domain.chat import BindingTarget
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import BindingRow

_BINDINGS = table_of(BindingRow)
_PLACE = [_BINDINGS.c[name] for name in ("platform", "space_id", "channel_id", "thread_id")]

_FIND = select(*_PLACE, _BINDINGS.c.persona_id).where(tuple_(*_PLACE).in_(bindparam("places", expanding=True)))


class SqlBindings:
    """Fulfils `bot.ports.store.Bindings`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def bind(self, target: BindingTarget, persona_id: str) -> None:
        """Bind a persona to a place."""
        names = [column.name for column in _PLACE]
        place = dict(zip(names, _place(target), strict=True))
        await self._sql.run(_binding(self._sql.dialect), {**place, "persona_id": persona_id})

    async def find(self, targets: Sequence[BindingTarget]) -> str | None:
        """Return the persona of the first place that has one."""
        rows = await self._sql.rows(_FIND, {"places": [_place(target) for target in targets]})
        bound = {tuple(row[:-1]): str(row.persona_id) for row in rows}
        return next((bound[_place(target)] for target in targets if _place(target) in bound), None)


def _place(target: BindingTarget) -> tuple[str, ...]:
    return (target.platform, target.space_id, target.channel_id, target.thread_id)


@cache
def _binding(dialect: str) -> Executable:
    insert = insert_into(_BINDINGS, dialect)
    return insert.on_conflict_do_update(index_elements=_PLACE, set_={"persona_id": insert.excluded.persona_id})
