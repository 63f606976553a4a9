"""Memories that go, with their journal."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, insert, or_, select, update

from bot.domain.chat import Audience, MemoryScope
from bot.domain.erasing import Counts, Kept
from bot.domain.memory import Memory
from bot.ports.erasing import Resting
from bot.storage.sql.erasing_lists import MOST_IDS, delete_where, may_cite
from bot.storage.sql.erasing_tombstones import bury
from bot.storage.sql.journal import JOURNAL
from bot.storage.sql.memory_rows import MEMORIES, MEMORY_COLUMNS, memory_of
from bot.storage.sql.scopes import SCOPES
from bot.storage.sql.session import Fields, SqlSession

ERASED = "erased"
"""The actor and the reason in the journal."""
_FOLD = SCOPES.c.fold


async def scopes_of_audience(sql: SqlSession, audience: Audience) -> Mapping[int, MemoryScope]:
    """Return the scopes of all personas that share an audience, by id; of two writers there the second waits."""
    wanted = select(SCOPES.c.id, SCOPES.c.persona_id).where(
        SCOPES.c.audience_kind == audience.kind.value, SCOPES.c.audience_id == audience.id
    )
    found = {row.id: MemoryScope(row.persona_id, audience) for row in await sql.rows(wanted, {})}
    for scope in sorted(found.values(), key=str):
        await sql.hold(str(scope))
    return found


async def resting_on(sql: SqlSession, audience: Audience, rows: Collection[int]) -> Sequence[Resting]:
    """Return the memories of an audience that rest or rested on messages."""
    scopes, wanted = await scopes_of_audience(sql, audience), sorted(rows)
    if not scopes or not wanted:
        return []
    cited = set(wanted)
    memories = select(MEMORIES.c.uuid, MEMORIES.c.source_message_ids).where(
        MEMORIES.c.scope_id.in_(scopes), may_cite(MEMORIES.c.source_message_ids, wanted)
    )
    lines = select(JOURNAL.c.memory_id, JOURNAL.c.source_message_ids).where(
        JOURNAL.c.scope_id.in_(scopes), may_cite(JOURNAL.c.source_message_ids, wanted)
    )
    found = {row[0] for statement in (memories, lines) for row in await sql.rows(statement, {}) if cited & set(row[1])}
    ordered = sorted(found)
    resting: list[Resting] = []
    for start in range(0, len(ordered), MOST_IDS):
        resting += await _described(sql, scopes, ordered[start : start + MOST_IDS], cited)
    return resting


async def memories_of_person(sql: SqlSession, audience: Audience, person_id: str, limit: int) -> Sequence[Memory]:
    """Return memories about a person or told by them."""
    scopes = await scopes_of_audience(sql, audience)
    theirs = or_(MEMORIES.c.subject_id == person_id, MEMORIES.c.author_id == person_id)
    wanted = select(*MEMORY_COLUMNS, MEMORIES.c.scope_id).where(MEMORIES.c.scope_id.in_(scopes), theirs).limit(limit)
    return [memory_of(row, scopes[row.scope_id]) for row in await sql.rows(wanted, {})] if scopes else []


async def known_ids(sql: SqlSession, memory_ids: Collection[UUID]) -> frozenset[UUID]:
    """Return those of the ids that some memory bears, whoever's it is."""
    wanted = select(MEMORIES.c.uuid).where(MEMORIES.c.uuid.in_(sorted(memory_ids)))
    return frozenset(row.uuid for row in await sql.rows(wanted, {})) if memory_ids else frozenset()


async def take_memory(sql: SqlSession, scope: MemoryScope, number: int, memory_id: UUID, at: datetime) -> Counts:
    """Delete a memory and its journal; a line stays that says so."""
    here = (SCOPES.c.persona_id == scope.persona_id, *_of(scope.audience))
    row = await sql.row(select(SCOPES.c.id).where(*here), {})
    if row is None:
        return {}
    memories = await delete_where(sql, MEMORIES, MEMORIES.c.uuid == memory_id)
    revisions = await delete_where(sql, JOURNAL, JOURNAL.c.memory_id == memory_id, JOURNAL.c.actor != ERASED)
    await sql.run(update(SCOPES).where(SCOPES.c.id == row.id).values({_FOLD: None}), {})
    await bury(sql, [memory_id], at)
    if memories or revisions:
        line = {"memory_id": memory_id, "scope_id": row.id, "number": number, "at": at, "run": ""}
        await sql.run(insert(JOURNAL), {**line, "actor": ERASED, "reason": ERASED, "before": "", "after": "", "source_message_ids": []})
    return {Kept.MEMORIES: memories, Kept.REVISIONS: revisions}


async def trim_memory(sql: SqlSession, resting: Resting, rows: Collection[int]) -> Counts:
    """Take messages out of a memory's sources, and every text out of its journal that it does not have now."""
    if resting.memory is None:
        return {}
    left = [row for row in resting.memory.source_message_ids if row not in rows]
    await sql.run(update(MEMORIES).where(MEMORIES.c.uuid == resting.id).values(source_message_ids=left), {})
    revisions = 0
    for line in await sql.rows(select(JOURNAL).where(JOURNAL.c.memory_id == resting.id), {}):
        stale = [side for side in ("before", "after") if _text(getattr(line, side)) not in {"", resting.memory.text}]
        cites = [row for row in line.source_message_ids if row not in rows]
        values: dict[str, object] = {**dict.fromkeys(stale, ""), "source_message_ids": cites}
        await sql.run(update(JOURNAL).where(JOURNAL.c.id == line.id).values(values), {})
        revisions += bool(stale)
    return {Kept.REVISIONS: revisions}


async def _described(sql: SqlSession, scopes: Mapping[int, MemoryScope], ids: Sequence[UUID], cited: set[int]) -> list[Resting]:
    kept = select(*MEMORY_COLUMNS, MEMORIES.c.scope_id).where(MEMORIES.c.uuid.in_(ids))
    memories = {row.uuid: memory_of(row, scopes[row.scope_id]) for row in await sql.rows(kept, {})}
    lines = defaultdict[UUID, list[Fields]](list)
    for row in await sql.rows(select(JOURNAL).where(JOURNAL.c.memory_id.in_(ids)).order_by(JOURNAL.c.id), {}):
        lines[row.memory_id].append(row)
    return [_resting(memory_id, memories.get(memory_id), lines[memory_id], scopes, cited) for memory_id in ids]


def _resting(
    memory_id: UUID, memory: Memory | None, lines: Sequence[Fields], scopes: Mapping[int, MemoryScope], cited: set[int]
) -> Resting:
    scope = memory.scope if memory else scopes[lines[0].scope_id]
    number = memory.number if memory else lines[0].number
    changes = [line for line in lines if _text(line.before) != _text(line.after)]
    rows = {row for line in changes for row in line.source_message_ids} | set(memory.source_message_ids if memory else ())
    texts = [_text(side) for line in lines for side in (line.before, line.after)] + ([memory.text] if memory else [])
    before = [_text(line.before) for line in changes if cited & set(line.source_message_ids)]
    return Resting(scope, memory_id, number, memory, frozenset(rows), _said(texts), _said(before))


def _said(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for text in dict.fromkeys(texts) if text)


def _text(snapshot: str) -> str:
    """Return what the memory of a snapshot says; an older program wrote bare texts."""
    if not snapshot.startswith('{"form":'):
        return snapshot
    fields = json.loads(snapshot)
    return str(fields.get("text", ""))


def _of(audience: Audience) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return SCOPES.c.audience_kind == audience.kind.value, SCOPES.c.audience_id == audience.id
