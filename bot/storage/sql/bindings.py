"""Which persona speaks where."""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Executable, and_, bindparam, or_, select

from bot.domain.chat import BindingTarget
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import BindingRow

_BINDINGS = table_of(BindingRow)
_PLACE = ("platform", "space_id", "channel_id", "thread_id")


class SqlBindings:
    """Fulfils `bot.ports.store.Bindings`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def bind(self, target: BindingTarget, persona_id: str) -> None:
        """Bind a persona to a place."""
        place = dict(zip(_PLACE, _place(target), strict=True))
        await self._sql.run(_binding(self._sql.dialect), {**place, "persona_id": persona_id})

    async def find(self, targets: Sequence[BindingTarget]) -> str | None:
        """Return the persona of the first place that has one."""
        if not targets:
            return None
        places = [_place(target) for target in targets]
        values = {f"{name}{number}": part for number, place in enumerate(places) for name, part in zip(_PLACE, place, strict=True)}
        bound = {tuple(place): str(persona_id) for *place, persona_id in await self._sql.rows(_bound_in(len(places)), values)}
        return next((bound[place] for place in places if place in bound), None)


def _place(target: BindingTarget) -> tuple[str, ...]:
    return (target.platform, target.space_id, target.channel_id, target.thread_id)


@cache
def _bound_in(places: int) -> Executable:
    # Written as alternatives: SQLite reads the whole table when asked for a list of places.
    alternatives = [and_(*(_BINDINGS.c[name] == bindparam(f"{name}{number}") for name in _PLACE)) for number in range(places)]
    return select(*(_BINDINGS.c[name] for name in _PLACE), _BINDINGS.c.persona_id).where(or_(*alternatives))


@cache
def _binding(dialect: str) -> Executable:
    insert = insert_into(_BINDINGS, dialect)
    return insert.on_conflict_do_update(index_elements=_PLACE, set_={"persona_id": insert.excluded.persona_id})
