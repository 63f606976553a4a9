"""Which persona speaks where."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from sqlalchemy import ColumnElement, Executable, and_, bindparam, delete, or_, select

from bot.domain.chat import BindingTarget, ConversationKey, binding_targets
from bot.storage.sql.home_tables import CategoryRow
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import BindingRow

_BINDINGS = table_of(BindingRow)
_PLACE = ("platform", "space_id", "channel_id", "thread_id")
_SELECT = select(*(_BINDINGS.c[name] for name in _PLACE), _BINDINGS.c.persona_id)
_CATEGORIES = table_of(CategoryRow)
_IN_SPACE = and_(_BINDINGS.c.platform == bindparam("there"), _BINDINGS.c.space_id == bindparam("space"))
_CATEGORY = (
    select(_CATEGORIES.c.category_id)
    .where(
        _CATEGORIES.c.platform == bindparam("there"),
        _CATEGORIES.c.space_id == bindparam("space"),
        _CATEGORIES.c.channel_id == bindparam("channel"),
    )
    .scalar_subquery()
)
_FREE = delete(_BINDINGS).where(_IN_SPACE, _BINDINGS.c.channel_id == bindparam("channel"), _BINDINGS.c.thread_id == bindparam("thread"))


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
        rows = await self._sql.rows(_bound_in(len(places)), _named(targets))
        bound = {tuple(place): str(persona_id) for *place, persona_id in rows}
        return next((bound[place] for place in places if place in bound), None)

    async def around(self, conversation: ConversationKey) -> str | None:
        """Return the persona of the narrowest place around a conversation."""
        targets = binding_targets(conversation)
        here = {"there": conversation.platform, "space": conversation.space_id, "channel": conversation.channel_id}
        rows = await self._sql.rows(_bound_around(len(targets)), {**_named(targets), **here})
        bound = {(row.channel_id, row.thread_id): str(row.persona_id) for row in rows}
        narrow = [(target.channel_id, target.thread_id) for target in targets]
        of_category = [place for place in bound if place not in narrow]
        return next((bound[place] for place in (*narrow[:-1], *of_category, narrow[-1]) if place in bound), None)

    async def free(self, target: BindingTarget) -> bool:
        """Take a place's binding away."""
        return bool(await self._sql.run(_FREE, dict(zip(("there", "space", "channel", "thread"), _place(target), strict=True))))


def _place(target: BindingTarget) -> tuple[str, ...]:
    return (target.platform, target.space_id, target.channel_id, target.thread_id)


def _named(targets: Sequence[BindingTarget]) -> Mapping[str, str]:
    places = enumerate(map(_place, targets))
    return {f"{name}{number}": part for number, place in places for name, part in zip(_PLACE, place, strict=True)}


@cache
def _bound_in(places: int) -> Executable:
    return _SELECT.where(or_(*_alternatives(places)))


@cache
def _bound_around(places: int) -> Executable:
    in_category = and_(_IN_SPACE, _BINDINGS.c.channel_id == _CATEGORY, _BINDINGS.c.thread_id == "")
    return _SELECT.where(or_(*_alternatives(places), in_category))


def _alternatives(places: int) -> Iterator[ColumnElement[bool]]:
    # Written as alternatives: SQLite reads the whole table when asked for a list of places.
    return (and_(*(_BINDINGS.c[name] == bindparam(f"{name}{number}") for name in _PLACE)) for number in range(places))


@cache
def _binding(dialect: str) -> Executable:
    insert = insert_into(_BINDINGS, dialect)
    return insert.on_conflict_do_update(index_elements=_PLACE, set_={"persona_id": insert.excluded.persona_id})
