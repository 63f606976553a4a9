"""What waits to be approved and goes."""

from collections.abc import Collection

from sqlalchemy import or_, select

from bot.domain.chat import Audience
from bot.domain.erasing import Counts, Kept
from bot.storage.sql.erasing_lists import delete_where, in_batches, may_cite
from bot.storage.sql.pending_tables import PendingMemoryRow
from bot.storage.sql.scopes import SCOPES
from bot.storage.sql.session import SqlSession, table_of

_PENDING = table_of(PendingMemoryRow)


async def take_pending_of_person(sql: SqlSession, audience: Audience, person_id: str) -> Counts:
    """Delete what waits there of a person or about them."""
    there = select(SCOPES.c.id).where(SCOPES.c.audience_kind == audience.kind.value, SCOPES.c.audience_id == audience.id)
    theirs = or_(_PENDING.c.author_id == person_id, _PENDING.c.subject_id == person_id)
    taken = await delete_where(sql, _PENDING, _PENDING.c.scope_id.in_(there), theirs)
    return {Kept.PENDING: taken} if taken else {}


async def take_pending_resting_on(sql: SqlSession, rows: Collection[int]) -> Counts:
    """Delete what waits and rests on messages, wherever it waits: a message is said in one place only."""
    taken = 0
    for batch in in_batches(rows):
        cited = set(batch)
        candidates = select(_PENDING.c.id, _PENDING.c.source_message_ids).where(may_cite(_PENDING.c.source_message_ids, batch))
        found = [row.id for row in await sql.rows(candidates, {}) if cited & set(row.source_message_ids)]
        if found:
            taken += await delete_where(sql, _PENDING, _PENDING.c.id.in_(found))
    return {Kept.PENDING: taken} if taken else {}
