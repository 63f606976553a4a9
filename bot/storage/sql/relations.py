"""What holds, and held, between names."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import BindParameter, Executable, bindparam, select, union_all, update

from bot.domain.chat import Audience
from bot.domain.entity import name_key
from bot.domain.past import Relation
from bot.storage.sql.entity_tables import RelationRow
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of

_RELATIONS = table_of(RelationRow)
_COLUMN = _RELATIONS.c
_HERE = (_COLUMN.audience_kind == bindparam("audience_kind"), _COLUMN.audience_id == bindparam("audience_id"))
_HOLDS = _COLUMN.valid_to.is_(None)
_KEYS: BindParameter[str] = bindparam("keys", expanding=True)

_SAME = select(_COLUMN.id).where(
    *_HERE,
    _COLUMN.subject_key == bindparam("subject_key"),
    _COLUMN.subject_person == bindparam("subject_person"),
    _COLUMN.predicate == bindparam("predicate"),
    _COLUMN.object_key == bindparam("object_key"),
    _HOLDS,
)
_END = (
    update(_RELATIONS)
    .where(
        _COLUMN.audience_kind == bindparam("wall_kind"),
        _COLUMN.audience_id == bindparam("wall_id"),
        _COLUMN.id.in_(bindparam("rows", expanding=True)),
        _HOLDS,
    )
    .values(valid_to=bindparam("at"), ended_by_row=bindparam("by_row"))
)
_LAST_FIRST = (_COLUMN.valid_from.desc(), _COLUMN.source_row.desc(), _COLUMN.id.desc())
_OF_KIND = (*_HERE, _COLUMN.predicate == bindparam("predicate"), _COLUMN.subject_person == bindparam("person"))
_OF_PERSON = select(_RELATIONS).where(*_OF_KIND).order_by(*_LAST_FIRST).limit(bindparam("most"))
_OF_NAME = select(_RELATIONS).where(*_OF_KIND, _COLUMN.subject_key == bindparam("key")).order_by(*_LAST_FIRST).limit(bindparam("most"))
_NEAR = union_all(*(select(_COLUMN.id).where(*_HERE, column.in_(_KEYS)) for column in (_COLUMN.subject_key, _COLUMN.object_key))).subquery()
_ABOUT = (
    select(_RELATIONS)
    .where(_COLUMN.id.in_(select(_NEAR.c.id)))
    .order_by(_COLUMN.valid_to.is_not(None), *_LAST_FIRST)
    .limit(bindparam("most"))
)
"""One range of an index for each key and side, never more."""


class SqlRelations:
    """Fulfils `bot.ports.graph.Relations`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def add(self, audience: Audience, relation: Relation) -> bool:
        """Store a relation that is new."""
        await self._sql.hold(f"relations {audience}")
        values = {**_wall(audience), **_values(relation)}
        if relation.valid_to is None and await self._sql.row(_SAME, values):
            return False
        return await self._sql.row(_adding(self._sql.dialect), values) is not None

    async def end(self, audience: Audience, ids: Collection[int], *, at: datetime, by_row: int) -> None:
        """Say that relations held until then."""
        if ids:
            await self._sql.hold(f"relations {audience}")
            wall = {"wall_kind": audience.kind.value, "wall_id": audience.id}
            await self._sql.run(_END, {**wall, "rows": sorted(ids), "at": at, "by_row": by_row})

    async def timeline(self, audience: Audience, subject: str, predicate: str, *, person_id: str = "", limit: int) -> Sequence[Relation]:
        """Return the last relations of one subject and kind, oldest first."""
        await self._sql.hold(f"relations {audience}")
        values = {**_wall(audience), "predicate": predicate, "person": person_id, "most": limit}
        rows = await self._sql.rows(*((_OF_PERSON, values) if person_id else (_OF_NAME, {**values, "key": name_key(subject)})))
        return [_relation(row) for row in reversed(rows)]

    async def about(self, audience: Audience, keys: Collection[str], *, depth: int = 1, limit: int) -> Sequence[Relation]:
        """Return relations of these names, and of their neighbours."""
        found: dict[int, Relation] = {}
        asked: set[str] = set()
        reached = set(keys)
        for _ in range(depth):
            if not reached or len(found) >= limit:
                break
            rows = await self._sql.rows(_ABOUT, {**_wall(audience), "keys": sorted(reached), "most": limit})
            asked |= reached
            new = {row.id: _relation(row) for row in rows if row.id not in found}
            found |= new
            reached = {name_key(name) for relation in new.values() for name in (relation.subject, relation.object)} - asked
        return list(found.values())[:limit]


def _wall(audience: Audience) -> Mapping[str, str]:
    return {"audience_kind": audience.kind.value, "audience_id": audience.id}


def _values(relation: Relation) -> Mapping[str, object]:
    return {
        "subject_key": name_key(relation.subject),
        "subject": relation.subject,
        "subject_person": relation.subject_person,
        "predicate": relation.predicate,
        "object_key": name_key(relation.object),
        "object": relation.object,
        "object_person": relation.object_person,
        "evidence": relation.evidence,
        "source_row": relation.source_row,
        "valid_from": relation.valid_from,
        "valid_to": relation.valid_to,
        "ended_by_row": relation.ended_by_row,
    }


def _relation(row: Fields) -> Relation:
    return Relation(
        subject=row.subject,
        predicate=row.predicate,
        object=row.object,
        valid_from=row.valid_from,
        source_row=row.source_row,
        evidence=row.evidence,
        valid_to=row.valid_to,
        ended_by_row=row.ended_by_row,
        id=row.id,
        subject_person=row.subject_person,
        object_person=row.object_person,
    )


@cache
def _adding(dialect: str) -> Executable:
    return insert_into(_RELATIONS, dialect).on_conflict_do_nothing().returning(_COLUMN.id)
