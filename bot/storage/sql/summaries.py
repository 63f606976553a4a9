"""Rolling summaries and structured memories: what models wrote about a conversation, beside its chunks."""

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from sqlalchemy import Executable, bindparam, delete, func, insert, select

from bot.domain.chat import ConversationKey
from bot.domain.past import RollingSummary, StructuredMemory
from bot.storage.sql.past_tables import RollingSummaryRow, StructuredMemoryRow
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of

SUMMARIES = table_of(RollingSummaryRow)
STRUCTURED = table_of(StructuredMemoryRow)
VERSIONS_KEPT = 12
"""So many versions of a generation's rolling summary stay."""
_MOST_IDS = 1000
"""So many ids stand in one statement."""
_NO_ROW = 2**62

_OLDER = SUMMARIES.alias("older")
_SUMMARY_HERE = (SUMMARIES.c.conversation == bindparam("here")) & (SUMMARIES.c.generation == bindparam("of_generation"))
_SUMMARY = (
    select(SUMMARIES.c.text, SUMMARIES.c.through_row, SUMMARIES.c.at)
    .where(_SUMMARY_HERE, SUMMARIES.c.through_row < bindparam("before"))
    .order_by(SUMMARIES.c.through_row.desc())
    .limit(1)
)
_OLDEST_KEPT = (
    select(_OLDER.c.through_row)
    .where(_OLDER.c.conversation == bindparam("here"), _OLDER.c.generation == bindparam("of_generation"))
    .order_by(_OLDER.c.through_row.desc())
    .limit(1)
    .offset(VERSIONS_KEPT - 1)
    .scalar_subquery()
)
_LET_GO = delete(SUMMARIES).where(_SUMMARY_HERE, SUMMARIES.c.through_row < _OLDEST_KEPT)

THROUGH = select(SUMMARIES.c.through_row).where(_SUMMARY_HERE).order_by(SUMMARIES.c.through_row.desc()).limit(1)
"""How far the newest version goes."""

_OF_CONVERSATION = STRUCTURED.c.conversation == bindparam("here")
_ADD_STRUCTURED = insert(STRUCTURED).returning(STRUCTURED.c.id)
_STRUCTURED = select(STRUCTURED).where(_OF_CONVERSATION, STRUCTURED.c.id.in_(bindparam("ids", expanding=True)))
_PAGE = (
    select(STRUCTURED)
    .where(_OF_CONVERSATION, STRUCTURED.c.generation == bindparam("of_generation"), STRUCTURED.c.id > bindparam("after"))
    .order_by(STRUCTURED.c.id)
    .limit(bindparam("most"))
)

LAST_STRUCTURED = select(func.max(STRUCTURED.c.id)).where(_OF_CONVERSATION, STRUCTURED.c.generation == bindparam("of_generation"))


async def add_summary(sql: SqlSession, summary: RollingSummary) -> None:
    """Keep a version, and let the oldest go."""
    here = {"conversation": str(summary.conversation), "generation": summary.generation}
    await sql.run(_adding_summary(sql.dialect), {**here, "through_row": summary.through_row, "text": summary.text, "at": summary.at})
    await sql.run(_LET_GO, {"here": here["conversation"], "of_generation": summary.generation})


async def summary_of(sql: SqlSession, conversation: ConversationKey, generation: int, *, before: int | None) -> RollingSummary | None:
    """Return the newest version that takes in nothing from `before` on."""
    values = {"here": str(conversation), "of_generation": generation, "before": _NO_ROW if before is None else before}
    row = await sql.row(_SUMMARY, values)
    return None if row is None else RollingSummary(conversation, generation, *row)


async def add_structured(sql: SqlSession, memory: StructuredMemory) -> StructuredMemory:
    """Store a structured memory and return it with its id."""
    values = {
        "conversation": str(memory.conversation),
        "generation": memory.generation,
        "title": memory.title,
        "summary": memory.summary,
        "entities": json.dumps(memory.entities, ensure_ascii=False),
        "key_phrases": json.dumps(memory.key_phrases, ensure_ascii=False),
        "first_row": memory.first_row,
        "last_row": memory.last_row,
        "at": memory.at,
    }
    ((memory_id,),) = await sql.rows(_ADD_STRUCTURED, values)
    return replace(memory, id=memory_id)


async def structured_of(sql: SqlSession, conversation: ConversationKey, ids: Collection[int]) -> Sequence[StructuredMemory]:
    """Return structured memories by their ids."""
    wanted, found = sorted(set(ids)), list[StructuredMemory]()
    for start in range(0, len(wanted), _MOST_IDS):
        values = {"here": str(conversation), "ids": wanted[start : start + _MOST_IDS]}
        found += [_memory(row, conversation) for row in await sql.rows(_STRUCTURED, values)]
    return sorted(found, key=lambda memory: memory.id)


async def structured_page(
    sql: SqlSession, conversation: ConversationKey, generation: int, *, after: int, limit: int
) -> Sequence[StructuredMemory]:
    """Return the first structured memories with ids above `after`."""
    values = {"here": str(conversation), "of_generation": generation, "after": after, "most": limit}
    return [_memory(row, conversation) for row in await sql.rows(_PAGE, values)]


@cache
def _adding_summary(dialect: str) -> Executable:
    insert = insert_into(SUMMARIES, dialect)
    return insert.on_conflict_do_update(
        index_elements=["conversation", "generation", "through_row"], set_={"text": insert.excluded.text, "at": insert.excluded.at}
    )


def _memory(row: Fields, conversation: ConversationKey) -> StructuredMemory:
    memory_id, _, generation, title, summary, entities, key_phrases, first_row, last_row, at = row
    return StructuredMemory(
        id=memory_id,
        conversation=conversation,
        generation=generation,
        title=title,
        summary=summary,
        entities=tuple(json.loads(entities)),
        key_phrases=tuple(json.loads(key_phrases)),
        first_row=first_row,
        last_row=last_row,
        at=at,
    )
