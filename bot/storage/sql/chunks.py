"""Chunks: stretches of a conversation with their summaries."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from sqlalchemy import Executable, bindparam, func, select, update

from bot.domain.chat import ConversationKey, parse_key
from bot.domain.past import Chunk, ChunkState
from bot.storage.sql.past_tables import ChunkRow
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of
from bot.storage.sql.tables import WHOLE

CHUNKS = table_of(ChunkRow)
_COLUMN = CHUNKS.c
HERE = (_COLUMN.conversation == bindparam("here")) & (_COLUMN.generation == bindparam("of_generation"))
IS_SHOWN = _COLUMN.condensed_into.is_(None)
_IN_STATES = _COLUMN.state.in_(bindparam("states", expanding=True))
_PLACE = ("conversation", "generation", "first_row", "depth")
"""What no two chunks share, and what of a chunk never changes."""
_NO_ROW = 2**62
_BEFORE = bindparam("before", type_=WHOLE)

_PUT = (
    update(CHUNKS)
    .where(_COLUMN.id == bindparam("chunk"), *(_COLUMN[name] == bindparam(f"of_{name}") for name in _PLACE))
    .values({column.name: bindparam(f"new_{column.name}") for column in _COLUMN if column.name not in {"id", *_PLACE}})
)
_AFTER = (
    select(CHUNKS)
    .where(HERE, IS_SHOWN, _IN_STATES, _COLUMN.first_row > bindparam("after"))
    .order_by(_COLUMN.first_row, _COLUMN.depth)
    .limit(bindparam("most"))
)
_LAST = (
    select(CHUNKS)
    .where(HERE, IS_SHOWN, _COLUMN.state == ChunkState.DONE.value, _COLUMN.first_row < _BEFORE, _COLUMN.last_row < _BEFORE)
    .order_by(_COLUMN.first_row.desc(), _COLUMN.depth.desc())
    .limit(bindparam("most"))
)
_CONDENSED = (
    select(CHUNKS)
    .where(_COLUMN.condensed_into == bindparam("chunk"), _COLUMN.conversation == bindparam("here"))
    .order_by(_COLUMN.first_row)
)
LAST_ROW = select(_COLUMN.last_row).where(HERE).order_by(_COLUMN.first_row.desc(), _COLUMN.depth.desc()).limit(1)
"""Chunks follow each other, so that the one which begins last ends last."""
_COUNT = select(func.count()).select_from(CHUNKS).where(HERE, IS_SHOWN, _IN_STATES)


async def plan_chunk(sql: SqlSession, chunk: Chunk) -> int | None:
    """Store a new chunk and return its id; None when there is one of its place."""
    row = await sql.row(_planning(sql.dialect), {**_place(chunk), **_content(chunk)})
    return None if row is None else int(row.id)


async def put_chunk(sql: SqlSession, chunk: Chunk) -> bool:
    """Store the new state of a chunk."""
    place = {f"of_{name}": value for name, value in _place(chunk).items()}
    content = {f"new_{name}": value for name, value in _content(chunk).items()}
    return await sql.run(_PUT, {"chunk": chunk.id, **place, **content}) > 0


async def chunks_after(
    sql: SqlSession, conversation: ConversationKey, generation: int, *, states: Collection[ChunkState], after: int, limit: int
) -> Sequence[Chunk]:
    """Return the first chunks whose first row is above `after`."""
    values = {**_here(conversation, generation), "states": [state.value for state in states], "after": after, "most": limit}
    return [_chunk(row) for row in await sql.rows(_AFTER, values)]


async def last_chunks(
    sql: SqlSession, conversation: ConversationKey, generation: int, *, before: int | None, limit: int
) -> Sequence[Chunk]:
    """Return the last chunks that are done."""
    values = {**_here(conversation, generation), "before": _NO_ROW if before is None else before, "most": limit}
    return [_chunk(row) for row in reversed(await sql.rows(_LAST, values))]


async def condensed_chunks(sql: SqlSession, conversation: ConversationKey, chunk_id: int) -> Sequence[Chunk]:
    """Return the chunks of a conversation that were condensed into one."""
    return [_chunk(row) for row in await sql.rows(_CONDENSED, {"chunk": chunk_id, "here": str(conversation)})]


async def last_chunked_row(sql: SqlSession, conversation: ConversationKey, generation: int) -> int:
    """Return the last message that stands in a chunk."""
    row = await sql.row(LAST_ROW, _here(conversation, generation))
    return 0 if row is None else int(row.last_row)


async def count_chunks(sql: SqlSession, conversation: ConversationKey, generation: int, states: Collection[ChunkState]) -> int:
    """Return how many chunks there are."""
    ((count,),) = await sql.rows(_COUNT, {**_here(conversation, generation), "states": [state.value for state in states]})
    return int(count)


@cache
def _planning(dialect: str) -> Executable:
    return insert_into(CHUNKS, dialect).on_conflict_do_nothing(index_elements=_PLACE).returning(_COLUMN.id)


def _here(conversation: ConversationKey, generation: int) -> dict[str, object]:
    return {"here": str(conversation), "of_generation": generation}


def _place(chunk: Chunk) -> Mapping[str, object]:
    values = (str(chunk.conversation), chunk.generation, chunk.first_row, chunk.depth)
    return dict(zip(_PLACE, values, strict=True))


def _content(chunk: Chunk) -> Mapping[str, object]:
    return {
        "last_row": chunk.last_row,
        "messages": chunk.messages,
        "began_at": chunk.began_at,
        "ended_at": chunk.ended_at,
        "summary": chunk.summary,
        "state": chunk.state.value,
        "failures": chunk.failures,
        "condensed_into": chunk.condensed_into,
        "is_read": chunk.is_read,
        "read_failures": chunk.read_failures,
    }


def _chunk(row: Fields) -> Chunk:
    # fmt: off
    (
        chunk_id, conversation, generation, depth, first_row, last_row, messages, began_at, ended_at,
        summary, state, failures, condensed_into, is_read, read_failures,
    ) = row
    # fmt: on
    return Chunk(
        id=chunk_id,
        conversation=parse_key(conversation),
        generation=generation,
        first_row=first_row,
        last_row=last_row,
        messages=messages,
        began_at=began_at,
        ended_at=ended_at,
        summary=summary,
        state=ChunkState(state),
        failures=failures,
        depth=depth,
        condensed_into=condensed_into,
        is_read=is_read,
        read_failures=read_failures,
    )
