"""Names dropped in messages, and what is known of them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from sqlalchemy import Executable, bindparam, delete, func, insert, select, update

from bot.domain.chat import Audience
from bot.domain.entity import EntityKind, EntityMention, name_key
from bot.domain.past import EntityFacts
from bot.storage.sql.entity_rows import Entity, entity_of, first_known, meant_by, mentioned, told_of, unmentioned
from bot.storage.sql.entity_tables import EntityKeyRow, EntityMentionRow, EntityRow
from bot.storage.sql.session import SqlSession, insert_into, table_of

KEPT_MENTIONS = 20
"""Mentions of a name that are kept; all are counted."""

_ENTITIES, _KEYS, _MENTIONS = table_of(EntityRow), table_of(EntityKeyRow), table_of(EntityMentionRow)
_SAID = _MENTIONS.c
_HERE = (_ENTITIES.c.audience_kind == bindparam("audience_kind"), _ENTITIES.c.audience_id == bindparam("audience_id"))
_UNDER_KEYS = (
    _KEYS.c.audience_kind == bindparam("audience_kind"),
    _KEYS.c.audience_id == bindparam("audience_id"),
    _KEYS.c.name_key.in_(bindparam("keys", expanding=True)),
)
_IS_ONE_OF = _SAID.entity_id.in_(bindparam("entities", expanding=True))

_BY_KEYS = select(_ENTITIES).where(_ENTITIES.c.id.in_(select(_KEYS.c.entity_id).where(*_UNDER_KEYS)))
_BY_PEOPLE = select(_ENTITIES).where(*_HERE, _ENTITIES.c.person_id.in_(bindparam("people", expanding=True)))
_PAGE = select(_ENTITIES).where(*_HERE).order_by(_ENTITIES.c.last_row.desc(), _ENTITIES.c.id.desc()).limit(bindparam("most"))
_IN_MESSAGE = select(_SAID.entity_id).where(_SAID.message_row == bindparam("row"), _IS_ONE_OF)
_OLDEST = select(func.min(_SAID.message_row)).where(_SAID.entity_id == bindparam("entity"))
_LAST = select(_MENTIONS).where(_IS_ONE_OF).order_by(_SAID.message_row.desc(), _SAID.entity_id).limit(bindparam("most"))
_RANKED = select(
    _SAID.entity_id,
    _SAID.sentence,
    func.row_number().over(partition_by=_SAID.entity_id, order_by=_SAID.message_row.desc()).label("place"),
).where(_IS_ONE_OF)
_RANKED_ROWS = _RANKED.subquery()
_SENTENCES = select(_RANKED_ROWS.c.entity_id, _RANKED_ROWS.c.sentence).where(_RANKED_ROWS.c.place <= bindparam("most"))
_SENTENCES_IN_ORDER = _SENTENCES.order_by(_RANKED_ROWS.c.entity_id, _RANKED_ROWS.c.place)

_ADD = insert(_ENTITIES).returning(_ENTITIES.c.id)
_PUT = (
    update(_ENTITIES)
    .where(_ENTITIES.c.id == bindparam("entity"))
    .values({name: bindparam(f"new_{name}") for name in ("name", "kinds", "aliases", "mentions", "last_row", "person_id")})
)
_IN_ROWS = _SAID.message_row.in_(bindparam("rows", expanding=True))
_MENTIONED_IN = select(_SAID.entity_id, _SAID.kind).join(_ENTITIES, _ENTITIES.c.id == _SAID.entity_id).where(*_HERE, _IN_ROWS)
_BY_IDS = select(_ENTITIES).where(_ENTITIES.c.id.in_(bindparam("entities", expanding=True)))
_UNSAY = delete(_MENTIONS).where(_IS_ONE_OF, _IN_ROWS)
_FORGET = delete(_ENTITIES).where(_ENTITIES.c.id.in_(bindparam("entities", expanding=True)))
_NEWER = _MENTIONS.alias("newer")
_OLDEST_KEPT = (
    select(_NEWER.c.message_row)
    .where(_NEWER.c.entity_id == bindparam("entity"))
    .order_by(_NEWER.c.message_row.desc())
    .limit(1)
    .offset(KEPT_MENTIONS - 1)
    .scalar_subquery()
)
_TRIM = delete(_MENTIONS).where(_SAID.entity_id == bindparam("entity"), _SAID.message_row < _OLDEST_KEPT)


class SqlEntities:
    """Fulfils `bot.ports.graph.Entities`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def add(self, audience: Audience, message_row: int, mentions: Sequence[EntityMention]) -> None:
        """Store the mentions of a message."""
        named = [mention for mention in mentions if name_key(mention.name)]
        if not named:
            return
        await self._sql.hold(f"entities {audience}")
        people = {mention.person_id for mention in named} - {""}
        known = {entity.id: entity for entity in await self._find(audience, {name_key(mention.name) for mention in named}, people)}
        done = await self._in_message(message_row, known)
        for mention in named:
            entity = await self._make_known(audience, mention, message_row, known)
            if mention.sentence and entity.id not in done and not await self._is_forgotten(entity, message_row):
                done.add(entity.id)
                known[entity.id] = await self._mention(entity, mention, message_row)

    async def mentions(self, audience: Audience, name: str, *, limit: int) -> Sequence[tuple[int, EntityMention]]:
        """Return the last mentions of a name."""
        known = {entity.id: entity for entity in await self._find(audience, {name_key(name)}, ())}
        rows = await self._sql.rows(_LAST, {"entities": sorted(known), "most": limit})
        return [
            (row.message_row, EntityMention(row.name, EntityKind(row.kind), row.sentence, known[row.entity_id].person_id)) for row in rows
        ]

    async def known(self, audience: Audience, keys: Collection[str], *, sentences: int = 3) -> Sequence[EntityFacts]:
        """Return what is known under these keys."""
        entities = await self._find(audience, keys, ())
        return await self._facts(sorted(entities, key=lambda entity: (-entity.last_row, -entity.id)), sentences)

    async def page(self, audience: Audience, *, limit: int) -> Sequence[EntityFacts]:
        """Return the entities that were mentioned last."""
        rows = await self._sql.rows(_PAGE, {**_wall(audience), "most": limit})
        return await self._facts([entity_of(row) for row in rows], 1)

    async def remove(self, audience: Audience, message_rows: Collection[int]) -> None:
        """Take the kept mentions in some messages out."""
        if not message_rows:
            return
        await self._sql.hold(f"entities {audience}")
        values = {**_wall(audience), "rows": sorted(message_rows)}
        kinds: dict[int, list[str]] = defaultdict(list)
        for row in await self._sql.rows(_MENTIONED_IN, values):
            kinds[row.entity_id].append(row.kind)
        if not kinds:
            return
        before = [entity_of(row) for row in await self._sql.rows(_BY_IDS, {"entities": sorted(kinds)})]
        await self._sql.run(_UNSAY, {"entities": sorted(kinds), "rows": sorted(message_rows)})
        left = [unmentioned(entity, kinds[entity.id]) for entity in before]
        for entity in left:
            await self._put(entity)
        gone = [entity.id for entity in left if not entity.mentions and not entity.person_id]
        if gone:
            await self._sql.run(_FORGET, {"entities": gone})

    async def _find(self, audience: Audience, keys: Collection[str], people: Collection[str]) -> list[Entity]:
        rows = list(await self._sql.rows(_BY_KEYS, {**_wall(audience), "keys": sorted(keys)})) if keys else []
        if people:
            rows += await self._sql.rows(_BY_PEOPLE, {**_wall(audience), "people": sorted(people)})
        return list({row.id: entity_of(row) for row in rows}.values())

    async def _facts(self, entities: Sequence[Entity], sentences: int) -> Sequence[EntityFacts]:
        said: dict[int, list[str]] = defaultdict(list)
        if entities and sentences:
            values = {"entities": [entity.id for entity in entities], "most": sentences}
            for row in await self._sql.rows(_SENTENCES_IN_ORDER, values):
                said[row.entity_id].append(row.sentence)
        return [entity.facts(said[entity.id]) for entity in entities]

    async def _make_known(self, audience: Audience, mention: EntityMention, row: int, known: dict[int, Entity]) -> Entity:
        """Return the entity that a mention means, stored under all its names."""
        before = meant_by(mention, list(known.values()))
        entity = told_of(before or first_known(mention, row), mention)
        if before is None:
            (added,) = await self._sql.rows(_ADD, {**_wall(audience), **entity.values})
            entity = replace(entity, id=added.id)
            await self._add_keys(audience, entity.id, sorted(entity.keys))
        elif entity != before:
            await self._put(entity)
            await self._add_keys(audience, entity.id, sorted(entity.keys - before.keys))
        known[entity.id] = entity
        return entity

    async def _mention(self, entity: Entity, mention: EntityMention, message_row: int) -> Entity:
        said = {"name": mention.name, "kind": mention.kind.value, "sentence": mention.sentence}
        await self._sql.run(insert(_MENTIONS), {"entity_id": entity.id, "message_row": message_row, **said})
        changed = mentioned(entity, mention, message_row)
        await self._put(changed)
        if changed.mentions > KEPT_MENTIONS:
            await self._sql.run(_TRIM, {"entity": entity.id})
        return changed

    async def _in_message(self, message_row: int, known: Collection[int]) -> set[int]:
        """Return which of the entities the message is known to mention."""
        rows = await self._sql.rows(_IN_MESSAGE, {"row": message_row, "entities": sorted(known)}) if known else []
        return {row.entity_id for row in rows}

    async def _is_forgotten(self, entity: Entity, message_row: int) -> bool:
        """Say whether a message is older than all mentions that are kept: whether it was counted before is not known any more."""
        if entity.mentions < KEPT_MENTIONS or message_row > entity.last_row:
            return False
        row = await self._sql.row(_OLDEST, {"entity": entity.id})
        return row is not None and row[0] is not None and message_row < row[0]

    async def _put(self, entity: Entity) -> None:
        await self._sql.run(_PUT, {"entity": entity.id, **{f"new_{name}": value for name, value in entity.values.items()}})

    async def _add_keys(self, audience: Audience, entity: int, keys: Sequence[str]) -> None:
        if keys:
            await self._sql.run(
                _adding_keys(self._sql.dialect), [{**_wall(audience), "name_key": key, "entity_id": entity} for key in keys]
            )


def _wall(audience: Audience) -> Mapping[str, str]:
    return {"audience_kind": audience.kind.value, "audience_id": audience.id}


@cache
def _adding_keys(dialect: str) -> Executable:
    return insert_into(_KEYS, dialect).on_conflict_do_nothing()
