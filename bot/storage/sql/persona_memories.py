"""All memories of a persona at once."""

from uuid import uuid4

from sqlalchemy import bindparam, delete, insert, select

from bot.domain.chat import MemoryScope
from bot.storage.sql.journal import JOURNAL
from bot.storage.sql.memory_rows import MEMORIES
from bot.storage.sql.nights import RECORDS
from bot.storage.sql.pending import remove_of_persona
from bot.storage.sql.scopes import SCOPES, drop_folds, opened_scope, scopes_of
from bot.storage.sql.session import SqlSession
from bot.storage.sql.term_index import copy_terms

_COLUMN = MEMORIES.c
_SCOPE_IDS = select(SCOPES.c.id).where(SCOPES.c.persona_id == bindparam("persona"))

_ONE_MEMORY = select(_COLUMN.id).where(_COLUMN.scope_id.in_(_SCOPE_IDS)).limit(1)
_REMOVE_JOURNAL = delete(JOURNAL).where(JOURNAL.c.scope_id.in_(_SCOPE_IDS))
_SUBJECTS = select(SCOPES.c.persona_id + " " + SCOPES.c.audience_kind + "/" + SCOPES.c.audience_id).where(
    SCOPES.c.persona_id == bindparam("persona")
)
"""The scopes as the lines that `str(scope)` gives."""
_REMOVE_RECORDS = delete(RECORDS).where(RECORDS.c.subject.in_(_SUBJECTS))
_REMOVE_MEMORIES = delete(MEMORIES).where(_COLUMN.scope_id.in_(_SCOPE_IDS))
_ORIGINALS = select(MEMORIES).where(_COLUMN.scope_id == bindparam("scope")).order_by(_COLUMN.id)


async def copy(sql: SqlSession, from_id: str, to_id: str) -> int:
    """Copy all memories of one persona to another that has none; return how many."""
    if await sql.row(_ONE_MEMORY, {"persona": to_id}):
        raise ValueError(f"Persona {to_id!r} has memories of its own; copy to one that has none.")
    await drop_folds(sql, to_id)
    copied = 0
    for source, (audience, last_number) in (await scopes_of(sql, from_id)).items():
        target = await opened_scope(sql, MemoryScope(to_id, audience), number=last_number)
        copied += await _copy_scope(sql, source, target)
    return copied


async def remove(sql: SqlSession, persona_id: str) -> int:
    """Delete all memories of a persona, their journal and all that was told of them; the numbers stay used. Return how many memories."""
    await drop_folds(sql, persona_id)
    await sql.run(_REMOVE_RECORDS, {"persona": persona_id})
    await sql.run(_REMOVE_JOURNAL, {"persona": persona_id})
    await remove_of_persona(sql, persona_id)
    return await sql.run(_REMOVE_MEMORIES, {"persona": persona_id})


async def _copy_scope(sql: SqlSession, source: int, target: int) -> int:
    kept = [column.name for column in MEMORIES.c if column.name not in {"id", "uuid", "scope_id"}]
    originals = await sql.rows(_ORIGINALS, {"scope": source})
    twins = [{name: getattr(row, name) for name in kept} | {"uuid": uuid4(), "scope_id": target} for row in originals]
    if twins:
        await sql.run(insert(MEMORIES), twins)
        await copy_terms(sql, source, target)
    return len(twins)
