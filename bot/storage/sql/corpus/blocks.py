"""The rows of documents: read as far as they have changed, and written."""

from collections.abc import Iterable
from functools import cache

from sqlalchemy import Executable, bindparam, delete, select

from bot.storage.sql.corpus.slots import BLOCK, Records, SlotTable, packed_block, table_of, unpacked
from bot.storage.sql.corpus.state import CorpusState, speakers_of
from bot.storage.sql.past_tables import CorpusBlockRow
from bot.storage.sql.session import SqlSession, insert_into
from bot.storage.sql.session import table_of as sql_table_of

_BLOCKS = sql_table_of(CorpusBlockRow)
_COLUMN = _BLOCKS.c
_NONE = -1
_CHANGED = (
    select(_COLUMN.block, _COLUMN.packed)
    .where(_COLUMN.corpus_id == bindparam("corpus"), _COLUMN.change > bindparam("since"))
    .order_by(_COLUMN.block)
)
_CLEAR = delete(_BLOCKS).where(_COLUMN.corpus_id == bindparam("corpus"))


async def read_slots(sql: SqlSession, state: CorpusState, known: SlotTable | None) -> SlotTable:
    """Return the documents in a state. Of what was known in an earlier one only the changes are read."""
    base = known if known is not None and state.follows(known.state) else None
    if base is not None and base.state == state:
        return base
    rows = await sql.rows(_CHANGED, {"corpus": state.id, "since": _NONE if base is None else base.state.changes})
    records = unpacked(state, None if base is None else base.records, ((block, packed) for block, packed in rows))
    return table_of(state, records, await speakers_of(sql, state.id))


async def write_blocks(sql: SqlSession, state: CorpusState, records: Records, blocks: Iterable[int]) -> None:
    """Store some blocks of the records."""
    rows = [
        {"corpus_id": state.id, "block": block, "change": state.changes, "packed": packed_block(records[block * BLOCK :][:BLOCK])}
        for block in blocks
    ]
    await sql.run(_writing(sql.dialect), rows)


async def clear_blocks(sql: SqlSession, corpus_id: int) -> None:
    """Delete all blocks."""
    await sql.run(_CLEAR, {"corpus": corpus_id})


@cache
def _writing(dialect: str) -> Executable:
    insert = insert_into(_BLOCKS, dialect)
    renewed = {"change": insert.excluded.change, "packed": insert.excluded.packed}
    return insert.on_conflict_do_update(index_elements=["corpus_id", "block"], set_=renewed)
