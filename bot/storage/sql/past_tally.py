"""What there is of a conversation's past, counted in one statement."""

from sqlalchemy import ColumnElement, bindparam, case, func, select

from bot.domain.chat import ConversationKey
from bot.domain.past import ChunkState, PastTally
from bot.storage.sql.chunks import CHUNKS, HERE, IS_SHOWN, LAST_ROW
from bot.storage.sql.session import SqlSession
from bot.storage.sql.summaries import LAST_STRUCTURED, THROUGH

_COLUMN = CHUNKS.c
_IS_DONE = _COLUMN.state == ChunkState.DONE.value
_THROUGH = func.coalesce(THROUGH.scalar_subquery(), 0)
_IS_UNSUMMARISED = _IS_DONE & (_COLUMN.last_row > _THROUGH)


def _counted(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


_TALLY = select(
    _counted(_COLUMN.state == ChunkState.PLANNED.value),
    _counted(_IS_DONE),
    _counted(_IS_DONE & (_COLUMN.depth == 0) & _COLUMN.is_read.is_(False) & (_COLUMN.read_failures < bindparam("tries"))),
    _counted(_IS_UNSUMMARISED),
    func.coalesce(func.max(case((_IS_UNSUMMARISED, _COLUMN.depth), else_=0)), 0),
    func.coalesce(LAST_ROW.scalar_subquery(), 0),
    func.coalesce(LAST_STRUCTURED.scalar_subquery(), 0),
).where(HERE, IS_SHOWN)


async def tally_of(sql: SqlSession, conversation: ConversationKey, generation: int, *, tries: int) -> PastTally:
    """Return what there is of a generation."""
    ((planned, done, unread, unsummarised, depth, last_row, last_structured),) = await sql.rows(
        _TALLY, {"here": str(conversation), "of_generation": generation, "tries": tries}
    )
    return PastTally(int(planned), int(done), int(unread), int(unsummarised), depth > 0, int(last_row), int(last_structured))
