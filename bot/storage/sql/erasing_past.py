"""What was written about a conversation and has taken in messages that go."""

import json
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select, update

from bot.domain.entity import name_key
from bot.domain.erasing import Counts, Kept
from bot.domain.message import MessageState
from bot.domain.past import ChunkState
from bot.storage.sql.chunks import CHUNKS
from bot.storage.sql.erasing_lists import delete_where, in_batches
from bot.storage.sql.session import Fields, SqlSession, table_of
from bot.storage.sql.summaries import STRUCTURED, SUMMARIES
from bot.storage.sql.tables import MessageRow

_MESSAGES = table_of(MessageRow)
_UNWRITTEN = {"summary": "", "state": ChunkState.PLANNED.value, "failures": 0, "condensed_into": None, "is_read": False, "read_failures": 0}


@dataclass(frozen=True, slots=True)
class PastTaken:
    """What went of a conversation's past."""

    counts: Counts
    structured: Sequence[int]


async def take_past(sql: SqlSession, conversation: str, rows: Collection[int]) -> PastTaken:
    """Let chunks be summarised anew that take in any of these rows, and delete what else does. The messages are gone already."""
    if not rows:
        return PastTaken({}, ())
    touched = sorted(rows)
    chunks = await _take_chunks(sql, conversation, touched)
    after = SUMMARIES.c.through_row >= touched[0]
    summaries = await delete_where(sql, SUMMARIES, SUMMARIES.c.conversation == conversation, after)
    wanted = select(STRUCTURED.c.id, STRUCTURED.c.first_row, STRUCTURED.c.last_row).where(STRUCTURED.c.conversation == conversation)
    structured = [row.id for row in await sql.rows(wanted, {}) if _overlaps(touched, row)]
    for some in in_batches(structured):
        await delete_where(sql, STRUCTURED, STRUCTURED.c.id.in_(some))
    return PastTaken({Kept.CHUNKS: chunks, Kept.SUMMARIES: summaries, Kept.STRUCTURED: len(structured)}, structured)


async def take_naming(sql: SqlSession, conversation: str, names: Collection[str]) -> PastTaken:
    """Delete structured memories that name somebody. They are not made again: the messages that they tell of are others'."""
    keys = {key for name in names if len(key := name_key(name)) > 1}
    wanted = select(STRUCTURED).where(STRUCTURED.c.conversation == conversation)
    found = [row.id for row in await sql.rows(wanted, {}) if keys and _names(row, keys)]
    for some in in_batches(found):
        await delete_where(sql, STRUCTURED, STRUCTURED.c.id.in_(some))
    return PastTaken({Kept.STRUCTURED: len(found)}, found)


async def take_structured(sql: SqlSession, conversation: str, ids: Collection[int]) -> int:
    """Delete structured memories of a conversation."""
    here = STRUCTURED.c.conversation == conversation
    return sum([await delete_where(sql, STRUCTURED, here, STRUCTURED.c.id.in_(some)) for some in in_batches(ids)])


async def _take_chunks(sql: SqlSession, conversation: str, touched: Sequence[int]) -> int:
    columns = (CHUNKS.c.id, CHUNKS.c.depth, CHUNKS.c.first_row, CHUNKS.c.last_row, CHUNKS.c.summary)
    of_here = select(*columns).where(CHUNKS.c.conversation == conversation)
    hit = [row for row in await sql.rows(of_here, {}) if _overlaps(touched, row)]
    condensed = [row.id for row in hit if row.depth]
    for some in in_batches(condensed):
        await sql.run(update(CHUNKS).where(CHUNKS.c.condensed_into.in_(some)).values(condensed_into=None), {})
        await delete_where(sql, CHUNKS, CHUNKS.c.id.in_(some))
    for row in (row for row in hit if not row.depth):
        await _plan_anew(sql, conversation, row)
    return sum(bool(row.summary) for row in hit)


async def _plan_anew(sql: SqlSession, conversation: str, chunk: Fields) -> None:
    """Let a chunk be summarised again from the messages that are left of it; one with none goes."""
    is_this: ColumnElement[bool] = CHUNKS.c.id == chunk.id
    row = await sql.row(
        select(func.count(), func.min(_MESSAGES.c.sent_at), func.max(_MESSAGES.c.sent_at)).where(
            _MESSAGES.c.conversation == conversation,
            _MESSAGES.c.id.between(chunk.first_row, chunk.last_row),
            _MESSAGES.c.state != MessageState.FAILED.value,
        ),
        {},
    )
    count, began_at, ended_at = row or (0, None, None)
    if not count:
        await delete_where(sql, CHUNKS, is_this)
        return
    values = {**_UNWRITTEN, "messages": count, "began_at": began_at, "ended_at": ended_at}
    await sql.run(update(CHUNKS).where(is_this).values(values), {})


def _overlaps(touched: Sequence[int], row: Fields) -> bool:
    place = bisect_left(touched, row.first_row)
    return place < len(touched) and touched[place] <= row.last_row


def _names(row: Fields, keys: Collection[str]) -> bool:
    named = {name_key(name) for name in json.loads(row.entities)}
    told = f" {name_key(f'{row.title} {row.summary} {row.key_phrases}')} "
    return bool(named & set(keys)) or any(key in told for key in keys)
