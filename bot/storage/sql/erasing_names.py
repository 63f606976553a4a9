"""Names and relations that go with messages or with a person."""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Table, and_, func, or_, select, update

from bot.domain.chat import Audience
from bot.domain.claim import has_one_value
from bot.domain.entity import name_key
from bot.domain.erasing import Counts, Kept
from bot.storage.sql.entity_rows import entity_of
from bot.storage.sql.entity_tables import EntityKeyRow, EntityMentionRow, EntityRow, RelationRow
from bot.storage.sql.erasing_lists import delete_where, in_batches
from bot.storage.sql.session import Fields, SqlSession, table_of

_ENTITIES, _KEYS = table_of(EntityRow), table_of(EntityKeyRow)
_MENTIONS, _RELATIONS = table_of(EntityMentionRow), table_of(RelationRow)


@dataclass(frozen=True, slots=True)
class NamesIn:
    """What messages say of names, before they go."""

    mentioned: Counter[tuple[int, str]]
    """How often each entity is named there, by what it was taken for."""
    relations: int
    ended: Sequence[Fields] = field(default=())
    """Relations of other messages that these have ended."""


async def names_in(sql: SqlSession, rows: Collection[int]) -> NamesIn:
    """Return what messages say of names."""
    mentioned, relations, ended = Counter[tuple[int, str]](), 0, list[Fields]()
    for some in in_batches(rows):
        of_some = select(_MENTIONS.c.entity_id, _MENTIONS.c.kind).where(_MENTIONS.c.message_row.in_(some))
        mentioned.update((row.entity_id, row.kind) for row in await sql.rows(of_some, {}))
        ((count,),) = await sql.rows(select(func.count()).select_from(_RELATIONS).where(_RELATIONS.c.source_row.in_(some)), {})
        relations += count
        by_these = select(_RELATIONS).where(_RELATIONS.c.ended_by_row.in_(some))
        ended += [row for row in await sql.rows(by_these, {}) if row.source_row not in rows]
    return NamesIn(mentioned, relations, ended)


async def settle_names(sql: SqlSession, names: NamesIn) -> Counts:
    """Bring entities and relations into line after the messages have gone."""
    gone = 0
    for entity_id in {entity for entity, _ in names.mentioned}:
        counted = {kind: count for (entity, kind), count in names.mentioned.items() if entity == entity_id}
        gone += await _settle_entity(sql, entity_id, counted)
    for relation in names.ended:
        await _reopen(sql, relation)
    return {Kept.ENTITIES: gone, Kept.RELATIONS: names.relations}


async def take_person_names(sql: SqlSession, audience: Audience, person_id: str) -> Counts:
    """Delete a person as an entity, and all relations of theirs."""
    entities = await delete_where(sql, _ENTITIES, *_wall(_ENTITIES, audience), _ENTITIES.c.person_id == person_id)
    theirs = or_(_RELATIONS.c.subject_person == person_id, _RELATIONS.c.object_person == person_id)
    return {Kept.ENTITIES: entities, Kept.RELATIONS: await delete_where(sql, _RELATIONS, *_wall(_RELATIONS, audience), theirs)}


async def take_audience_names(sql: SqlSession, audience: Audience) -> Counts:
    """Delete all names of an audience."""
    return {
        Kept.RELATIONS: await delete_where(sql, _RELATIONS, *_wall(_RELATIONS, audience)),
        Kept.ENTITIES: await delete_where(sql, _ENTITIES, *_wall(_ENTITIES, audience)),
    }


async def names_of_person(sql: SqlSession, audience: Audience, person_id: str) -> Sequence[str]:
    """Return the names that a person is known under in an audience."""
    wanted = select(_ENTITIES).where(*_wall(_ENTITIES, audience), _ENTITIES.c.person_id == person_id)
    return [name for row in await sql.rows(wanted, {}) for name in (entity_of(row).name, *entity_of(row).aliases)]


async def _settle_entity(sql: SqlSession, entity_id: int, gone: dict[str, int]) -> int:
    """Take mentions off an entity; one that nothing mentions any more goes, unless it is a member of the chat."""
    row = await sql.row(select(_ENTITIES).where(_ENTITIES.c.id == entity_id), {})
    if row is None:
        return 0
    entity = entity_of(row)
    left = select(_MENTIONS.c.name, _MENTIONS.c.message_row).where(_MENTIONS.c.entity_id == entity_id)
    mentions = await sql.rows(left.order_by(_MENTIONS.c.message_row.desc()), {})
    if not mentions and not entity.person_id:
        return await delete_where(sql, _ENTITIES, _ENTITIES.c.id == entity_id)
    said = {name_key(mention.name): mention.name for mention in reversed(mentions)}
    is_said = entity.person_id or name_key(entity.name) in said
    name = entity.name if is_said else mentions[0].name
    aliases = [alias for alias in entity.aliases if name_key(alias) in said and name_key(alias) != name_key(name)]
    kinds = {kind: count - gone.get(kind, 0) for kind, count in entity.kinds.items()}
    values = {
        "name": said.get(name_key(name), name),
        "aliases": json.dumps(aliases, ensure_ascii=False, separators=(",", ":")),
        "kinds": json.dumps({kind: count for kind, count in kinds.items() if count > 0}, separators=(",", ":")),
        "mentions": max(entity.mentions - sum(gone.values()), len(mentions)),
        "last_row": mentions[0].message_row if mentions else 0,
    }
    await sql.run(update(_ENTITIES).where(_ENTITIES.c.id == entity_id).values(values), {})
    keys = {name_key(each) for each in (name, *aliases)}
    await delete_where(sql, _KEYS, _KEYS.c.entity_id == entity_id, _KEYS.c.name_key.not_in(keys))
    return 0


async def _reopen(sql: SqlSession, relation: Fields) -> None:
    """Let a relation hold again whose end is no longer known, unless something else has taken its place."""
    same = [_RELATIONS.c[name] == getattr(relation, name) for name in ("audience_kind", "audience_id", "subject_key", "predicate")]
    if not has_one_value(relation.predicate):
        same.append(_RELATIONS.c.object_key == relation.object_key)
    if await sql.row(select(_RELATIONS.c.id).where(and_(*same), _RELATIONS.c.holds).limit(1), {}) is None:
        this = _RELATIONS.c.id == relation.id
        await sql.run(update(_RELATIONS).where(this).values(holds=True, valid_to=None, ended_by_row=None), {})


def _wall(table: Table, audience: Audience) -> tuple[ColumnElement[bool], ...]:
    return table.c.audience_kind == audience.kind.value, table.c.audience_id == audience.id
