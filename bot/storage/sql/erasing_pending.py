"""What waits to be approved and goes."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, and_, false, or_, select

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


async def take_pending_resting_on(sql: SqlSession, rows: Collection[int], audiences: Collection[Audience] | None) -> Counts:
    """Delete what waits in some audiences, else wherever it waits, and rests on messages: a message is said in one place only."""
    taken = 0
    for batch in in_batches(rows):
        cited = set(batch)
        candidates = select(_PENDING.c.id, _PENDING.c.source_message_ids).where(may_cite(_PENDING.c.source_message_ids, batch))
        if audiences is not None:
            candidates = candidates.where(_PENDING.c.scope_id.in_(select(SCOPES.c.id).where(_of_any(audiences))))
        found = [row.id for row in await sql.rows(candidates, {}) if cited & set(row.source_message_ids)]
        if found:
            taken += await delete_where(sql, _PENDING, _PENDING.c.id.in_(found))
    return {Kept.PENDING: taken} if taken else {}


def _of_any(audiences: Collection[Audience]) -> ColumnElement[bool]:
    each = (and_(SCOPES.c.audience_kind == one.kind.value, SCOPES.c.audience_id == one.id) for one in audiences)
    return or_(false(), *each)
