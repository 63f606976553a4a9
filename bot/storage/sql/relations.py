"""What holds, and held, between names."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache

from sqlalchemy import (
    JSON,
    BindParameter,
    ColumnElement,
    Executable,
    FromClause,
    Select,
    String,
    bindparam,
    cast,
    delete,
    func,
    or_,
    select,
    true,
    union_all,
    update,
)

from bot.domain.chat import Audience
from bot.domain.entity import name_key
from bot.domain.past import Relation
from bot.domain.text import storable
from bot.storage.sql.entity_tables import RelationRow
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of

_RELATIONS = table_of(RelationRow)
_COLUMN = _RELATIONS.c
_LAST_FIRST = (_COLUMN.valid_from.desc(), _COLUMN.source_row.desc(), _COLUMN.id.desc())

_END = (
    update(_RELATIONS)
    .where(
        _COLUMN.audience_kind == bindparam("wall_kind"),
        _COLUMN.audience_id == bindparam("wall_id"),
        _COLUMN.id.in_(bindparam("rows", expanding=True)),
        _COLUMN.holds,
    )
    .values(holds=False, valid_to=bindparam("at"), ended_by_row=bindparam("by_row"))
)


def _here(table: FromClause) -> tuple[ColumnElement[bool], ...]:
    return table.c.audience_kind == bindparam("audience_kind"), table.c.audience_id == bindparam("audience_id")


_IN_ROWS: BindParameter[int] = bindparam("rows", expanding=True)
_TOUCHED = select(_RELATIONS).where(*_here(_RELATIONS), or_(_COLUMN.source_row.in_(_IN_ROWS), _COLUMN.ended_by_row.in_(_IN_ROWS)))
_REMOVE = delete(_RELATIONS).where(_COLUMN.id.in_(bindparam("ids", expanding=True)))
_OF_KIND = select(_RELATIONS).where(*_here(_RELATIONS), _COLUMN.predicate == bindparam("predicate"))
_OF_PERSON = _OF_KIND.where(_COLUMN.subject_person == bindparam("person"))
_OF_NAME = _OF_PERSON.where(_COLUMN.subject_key == bindparam("key"))
_TO_THING = _COLUMN.object_key == bindparam("thing")
_TIMELINES = {
    (by_person, to_thing): (of.where(_TO_THING) if to_thing else of).order_by(*_LAST_FIRST).limit(bindparam("most"))
    for by_person, of in ((True, _OF_PERSON), (False, _OF_NAME))
    for to_thing in (True, False)
}
_SAME = _OF_NAME.where(_TO_THING, _COLUMN.holds).limit(1)


class SqlRelations:
    """Fulfils `bot.ports.graph.Relations`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def add(self, audience: Audience, relation: Relation) -> bool:
        """Store a relation that is new."""
        await self._sql.hold(f"relations {audience}")
        values = {**_wall(audience), **_values(relation)}
        names = {"key": values["subject_key"], "thing": values["object_key"], "person": relation.subject_person}
        if relation.valid_to is None and await self._sql.row(_SAME, {**_wall(audience), "predicate": relation.predicate, **names}):
            return False
        return await self._sql.row(_adding(self._sql.dialect), values) is not None

    async def end(self, audience: Audience, ids: Collection[int], *, at: datetime, by_row: int) -> None:
        """Say that relations held until then."""
        if ids:
            await self._sql.hold(f"relations {audience}")
            wall = {"wall_kind": audience.kind.value, "wall_id": audience.id}
            await self._sql.run(_END, {**wall, "rows": sorted(ids), "at": at, "by_row": by_row})

    async def remove(self, audience: Audience, message_rows: Collection[int]) -> Sequence[Relation]:
        """Take out what rests on some messages, and what they ended."""
        if not message_rows:
            return []
        await self._sql.hold(f"relations {audience}")
        touched = await self._sql.rows(_TOUCHED, {**_wall(audience), "rows": sorted(message_rows)})
        if touched:
            await self._sql.run(_REMOVE, {"ids": [row.id for row in touched]})
        ended = (_relation(row) for row in touched if row.source_row not in message_rows)
        return [replace(relation, valid_to=None, ended_by_row=None) for relation in ended]

    async def timeline(
        self, audience: Audience, subject: str, predicate: str, *, thing: str = "", person_id: str = "", limit: int
    ) -> Sequence[Relation]:
        """Return the last relations of one subject and kind, oldest first."""
        await self._sql.hold(f"relations {audience}")
        names = {"person": person_id, "key": name_key(subject), "thing": name_key(thing)}
        statement = _TIMELINES[bool(person_id), bool(thing)]
        rows = await self._sql.rows(statement, {**_wall(audience), **names, "predicate": predicate, "most": limit})
        return [_relation(row) for row in reversed(rows)]

    async def about(self, audience: Audience, keys: Collection[str], *, depth: int = 1, limit: int) -> Sequence[Relation]:
        """Return relations of these names, and of their neighbours."""
        found: dict[int, Relation] = {}
        asked: set[str] = set()
        reached = set(keys)
        for _ in range(depth):
            if not reached or len(found) >= limit:
                break
            keys = json.dumps(sorted(map(storable, reached)))
            rows = await self._sql.rows(_about(self._sql.dialect), {**_wall(audience), "keys": keys, "most": limit})
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
        "holds": relation.valid_to is None,
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


@cache
def _about(dialect: str) -> Executable:
    """Return what reads the relations of some keys: of each key and side the first few along an index, whatever number there is."""
    near = union_all(_first_of(dialect, "subject_key"), _first_of(dialect, "object_key"))
    return (
        select(_RELATIONS)
        .where(_COLUMN.id.in_(select(near.subquery().c.id)))
        .order_by(_COLUMN.holds.desc(), *_LAST_FIRST)
        .limit(bindparam("most"))
    )


def _first_of(dialect: str, side: str) -> Select[tuple[int]]:
    one = _RELATIONS.alias()
    few = select(one.c.id).where(*_here(one)).order_by(one.c.holds.desc(), one.c.valid_from.desc(), one.c.source_row.desc())
    few = few.limit(bindparam("most"))
    if dialect == "sqlite":
        keys = func.json_each(bindparam("keys")).table_valued("value")
        other = _RELATIONS.alias()
        return select(other.c.id).join_from(keys, other, other.c.id.in_(few.where(one.c[side] == keys.c.value).correlate(keys)))
    keys = func.json_array_elements_text(cast(bindparam("keys", type_=String()), JSON)).table_valued("value")
    lateral = few.where(one.c[side] == keys.c.value).correlate(keys).lateral()
    return select(lateral.c.id).select_from(keys).join(lateral, true())
