"""Memories by level and by what fading leaves of them.

Fading runs with a rate that each caller brings, so what is left stands in no column. It is reckoned from an index that holds all
it takes: only the rows that are returned are read. The newest weighing counts most, and for an order no present moment is needed.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import BigInteger, Double, Integer, bindparam, case, func, select

from bot.domain.chat import MemoryScope
from bot.domain.fading import DAY
from bot.domain.memory import HandleGroup, Level, Memory
from bot.storage.sql.memory_rows import MEMORIES, MEMORY_COLUMNS, memory_of, micros
from bot.storage.sql.scopes import SCOPE_ID, scope_columns
from bot.storage.sql.session import SqlSession

_COLUMN = MEMORIES.c
_HERE = _COLUMN.scope_id == SCOPE_ID
_MOST = bindparam("most", type_=Integer)
_FADING = bindparam("fading", type_=Double)
_DAY = bindparam("day", DAY.total_seconds() * 1e6, type_=Double)
_NOW = bindparam("now", type_=BigInteger)
_LEVEL = _COLUMN.level == bindparam("at")
_HOLDS = _COLUMN.ended_at.is_(None)
_STRENGTH = _COLUMN.importance + _FADING * (_COLUMN.weighed_micros / _DAY)
_BY_STRENGTH = (_COLUMN.pinned.desc(), _STRENGTH.desc(), _COLUMN.number.desc())
_DAYS_IDLE = case((_COLUMN.weighed_micros < _NOW, (_NOW - _COLUMN.weighed_micros) / _DAY), else_=0.0)

_STRONGEST = select(_COLUMN.number).where(_HERE, _LEVEL, _HOLDS).order_by(*_BY_STRENGTH).limit(_MOST).correlate(None)
_AT_LEVEL = select(*MEMORY_COLUMNS).where(_HERE, _COLUMN.number.in_(_STRONGEST)).order_by(*_BY_STRENGTH)
_SIZES = (
    select(_COLUMN.group_name, func.count().label("size"))
    .where(_HERE, _LEVEL, _HOLDS)
    .group_by(_COLUMN.group_name)
    .order_by(func.count().desc(), _COLUMN.group_name)
    .limit(_MOST)
)
_STRONGEST_OF_GROUP = _STRONGEST.where(_COLUMN.group_name == bindparam("group"))
_HANDLES = select(_COLUMN.uuid).where(_HERE, _COLUMN.number.in_(_STRONGEST_OF_GROUP)).order_by(*_BY_STRENGTH)
_NUMBER = _COLUMN.number + 0
"""A sum is in no index: it keeps SQLite from walking the numbers of all levels."""
_WEAK = (
    select(_COLUMN.number)
    .where(_HERE, _LEVEL, bindparam("after") < _NUMBER, _COLUMN.pinned.is_(False))
    .where(_COLUMN.importance - _FADING * _DAYS_IDLE < bindparam("threshold", type_=Double))
    .order_by(_NUMBER)
    .limit(_MOST)
    .correlate(None)
)
_FADED_BELOW = select(*MEMORY_COLUMNS).where(_HERE, _COLUMN.number.in_(_WEAK)).order_by(_COLUMN.number)


async def at_level(sql: SqlSession, scope: MemoryScope, level: Level, *, fading: float, limit: int) -> Sequence[Memory]:
    """Return the strongest memories of a level."""
    values = {**scope_columns(scope), "at": level.value, "fading": fading, "most": limit}
    return [memory_of(row, scope) for row in await sql.rows(_AT_LEVEL, values)]


async def faded_below(
    sql: SqlSession, scope: MemoryScope, level: Level, threshold: float, *, fading: float, now: datetime, after: int, limit: int
) -> Sequence[Memory]:
    """Return memories of a level of which less than a threshold is left."""
    if threshold <= 0:
        return []  # no less than nothing is ever left
    values = {"at": level.value, "threshold": threshold, "fading": fading, "now": micros(now), "after": after, "most": limit}
    return [memory_of(row, scope) for row in await sql.rows(_FADED_BELOW, {**scope_columns(scope), **values})]


async def deep_groups(sql: SqlSession, scope: MemoryScope, *, fading: float, handles: int, limit: int) -> Sequence[HandleGroup]:
    """Return the deep memories by group, the largest groups."""
    here = {**scope_columns(scope), "at": Level.DEEP.value}
    groups = []
    for name, size in await sql.rows(_SIZES, {**here, "most": limit}):
        strongest = await sql.rows(_HANDLES, {**here, "group": name, "fading": fading, "most": handles})
        groups.append(HandleGroup(name, size, tuple(memory_id.hex[:8] for (memory_id,) in strongest)))
    return sorted(groups, key=lambda group: (-group.count, group.name))
