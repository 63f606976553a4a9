"""What is known of a place under two ids, made one. Where both can stay they do; else what stands under the new id wins."""

from dataclasses import replace

from sqlalchemy import Executable, Table, UniqueConstraint, and_, delete, exists, func, select, update

from bot.domain.chat import Audience
from bot.domain.entity import name_key
from bot.storage.sql.entity_rows import Entity, entity_of
from bot.storage.sql.entity_tables import EntityKeyRow, EntityMentionRow, EntityRow
from bot.storage.sql.erasing_messages import MESSAGES
from bot.storage.sql.home_tables import SpacePersonaRow
from bot.storage.sql.moving_places import Move
from bot.storage.sql.past_tables import ChunkRow, CorpusRow, PastRow, RollingSummaryRow, StructuredMemoryRow
from bot.storage.sql.scopes import SCOPES
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of
from bot.storage.sql.tables import BaseRow

_PASTS, _PERSONAS = table_of(PastRow), table_of(SpacePersonaRow)
_WRITTEN = [table_of(row) for row in (PastRow, ChunkRow, RollingSummaryRow, StructuredMemoryRow, CorpusRow)]
"""What the background has written about a conversation, and can write again."""
_ENTITIES, _KEYS, _MENTIONS = table_of(EntityRow), table_of(EntityKeyRow), table_of(EntityMentionRow)
_NEVER = 2**62


async def take_clashing(sql: SqlSession, table: Table, column: str, old: str, new: str) -> None:
    """Delete rows of the old place that could not stand beside one of the new place."""
    twin = table.alias("twin")
    for names in _unique_names(table):
        if column in names:
            same = [twin.c[name] == table.c[name] for name in names if name != column]
            is_there = exists().where(twin.c[column] == new, *same)
            await sql.run(delete(table).where(table.c[column] == old, is_there), {})


async def settle_pasts(sql: SqlSession, old: str, new: str) -> None:
    """Of what was written about two pasts that become one keep that of the earlier; the other's messages are read anew."""
    first = {place: await _first_row(sql, place) for place in (old, new)}
    pasts = {row.conversation: row for row in await sql.rows(select(_PASTS).where(_PASTS.c.conversation.in_([old, new])), {})}
    if max(first.values()) == _NEVER and len(pasts) < 2:
        return
    kept, dropped = (old, new) if old in pasts and (new not in pasts or first[old] <= first[new]) else (new, old)
    for table in _WRITTEN:
        await sql.run(delete(table).where(table.c.conversation == dropped), {})
    if kept in pasts:
        known, before = pasts[kept], first[dropped] - 1
        floor = max(past.history_floor for past in pasts.values())
        rows = {"indexed_row": min(known.indexed_row, before), "related_row": min(known.related_row, before), "history_floor": floor}
        await sql.run(update(_PASTS).where(_PASTS.c.conversation == kept).values(rows), {})


async def join_scopes(sql: SqlSession, old: Audience, new: Audience) -> bool:
    """Put memories of both audiences behind one wall; say whether some got new numbers: those that were handed out in both."""
    has_changed = False
    for scope in await _scopes(sql, old):
        twin = next((one for one in await _scopes(sql, new) if one.persona_id == scope.persona_id), None)
        if twin is not None:
            has_changed |= await _join_scope(sql, scope, twin)
    return has_changed


async def join_entities(sql: SqlSession, old: Audience, new: Audience) -> None:
    """Let names that both audiences know be one."""
    known = [entity_of(row) for row in await sql.rows(_entities(new), {})]
    if not known:
        return
    for row in await sql.rows(_entities(old), {}):
        entity = entity_of(row)
        twin = next((one for one in known if _is_same(entity, one)), None)
        if twin is not None:
            known.remove(twin)
            await _join_entity(sql, entity, twin, new)


async def add_usage(sql: SqlSession, table: Table, move: Move) -> None:
    """Add what was spent in the old place to what was spent on the same days in the new one."""
    twin = table.alias("twin")
    names = [name for name in _unique_names(table)[0] if name != "space_id"]
    counts = [column.name for column in table.c if column.name not in {*names, "space_id"}]
    same = and_(twin.c.space_id == move.old, twin.c.platform == move.platform, *(twin.c[name] == table.c[name] for name in names))
    sums = {name: table.c[name] + select(twin.c[name]).where(same).scalar_subquery() for name in counts}
    here = (table.c.platform == move.platform, table.c.space_id == move.new, exists().where(same))
    await sql.run(update(table).where(*here).values(sums), {})


async def put_versions_behind(sql: SqlSession, move: Move) -> None:
    """Let versions of the new place's own personas come after those of the old one."""
    there = _PERSONAS.c.platform == move.platform
    grouped = select(_PERSONAS.c.space_id, _PERSONAS.c.persona_id, func.max(_PERSONAS.c.number).label("last")).where(
        there, _PERSONAS.c.space_id.in_([move.old, move.new])
    )
    lasts: dict[str, dict[str, int]] = {}
    for row in await sql.rows(grouped.group_by(_PERSONAS.c.space_id, _PERSONAS.c.persona_id), {}):
        lasts.setdefault(row.persona_id, {})[row.space_id] = row.last
    for persona, last in lasts.items():
        if len(last) == 2:
            of_it = (there, _PERSONAS.c.persona_id == persona)
            later = _PERSONAS.c.number + max(last.values())
            await sql.run(update(_PERSONAS).where(*of_it, _PERSONAS.c.space_id == move.new).values(number=later), {})
            await sql.run(update(_PERSONAS).where(*of_it, _PERSONAS.c.space_id == move.old).values(is_last=False), {})


def _unique_names(table: Table) -> list[list[str]]:
    """Return the columns of each key of a table, its primary one first."""
    uniques = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    keys = [list(table.primary_key.columns.keys()), *(list(one.columns.keys()) for one in uniques)]
    return [*keys, *(list(index.columns.keys()) for index in table.indexes if index.unique)]


async def _first_row(sql: SqlSession, conversation: str) -> int:
    row = await sql.row(select(func.min(MESSAGES.c.id)).where(MESSAGES.c.conversation == conversation), {})
    return _NEVER if row is None or row[0] is None else int(row[0])


async def _scopes(sql: SqlSession, audience: Audience) -> list[Fields]:
    wanted = select(SCOPES).where(SCOPES.c.audience_kind == audience.kind.value, SCOPES.c.audience_id == audience.id)
    return list(await sql.rows(wanted, {}))


async def _join_scope(sql: SqlSession, scope: Fields, twin: Fields) -> bool:
    tables = [table for table in BaseRow.metadata.sorted_tables if "scope_id" in table.c]
    numbered = [table for table in tables if "number" in table.c]
    clashing: set[int] = set()
    for table in numbered:
        wanted = select(table.c.number).where(table.c.scope_id == scope.id, table.c.number <= twin.last_number).distinct()
        clashing |= {row.number for row in await sql.rows(wanted, {})}
    last = max(scope.last_number, twin.last_number)
    for number in sorted(clashing):
        last += 1
        for table in numbered:
            await sql.run(update(table).where(table.c.scope_id == scope.id, table.c.number == number).values(number=last), {})
    for table in tables:
        await sql.run(update(table).where(table.c.scope_id == scope.id).values(scope_id=twin.id), {})
    await sql.run(update(SCOPES).where(SCOPES.c.id == twin.id).values(last_number=last, fold=None), {})
    await sql.run(delete(SCOPES).where(SCOPES.c.id == scope.id), {})
    return bool(clashing)


def _entities(audience: Audience) -> Executable:
    return select(_ENTITIES).where(_ENTITIES.c.audience_kind == audience.kind.value, _ENTITIES.c.audience_id == audience.id)


def _is_same(one: Entity, other: Entity) -> bool:
    if one.person_id or other.person_id:
        return one.person_id == other.person_id
    return name_key(one.name) in other.keys


async def _join_entity(sql: SqlSession, entity: Entity, twin: Entity, audience: Audience) -> None:
    kinds = {kind: entity.kinds.get(kind, 0) + twin.kinds.get(kind, 0) for kind in {**entity.kinds, **twin.kinds}}
    names = [name for name in (entity.name, *entity.aliases) if name_key(name) not in twin.keys]
    joined = replace(
        twin,
        kinds=kinds,
        aliases=(*twin.aliases, *names),
        mentions=entity.mentions + twin.mentions,
        last_row=max(entity.last_row, twin.last_row),
    )
    await sql.run(update(_ENTITIES).where(_ENTITIES.c.id == twin.id).values(joined.values), {})
    keys = [
        {"audience_kind": audience.kind.value, "audience_id": audience.id, "name_key": key, "entity_id": twin.id} for key in joined.keys
    ]
    await sql.run(insert_into(_KEYS, sql.dialect).on_conflict_do_nothing(), keys)
    said = select(_MENTIONS.c.message_row).where(_MENTIONS.c.entity_id == twin.id)
    moved = update(_MENTIONS).where(_MENTIONS.c.entity_id == entity.id, _MENTIONS.c.message_row.not_in(said))
    await sql.run(moved.values(entity_id=twin.id), {})
    await sql.run(delete(_ENTITIES).where(_ENTITIES.c.id == entity.id), {})
