"""What waits, over all conversations. Every question is answered by an index and ends at a limit."""

from collections.abc import Sequence

from sqlalchemy import BindParameter, bindparam, func, literal, select

from bot.domain.chat import ConversationKind, parse_key
from bot.domain.load import Backlog, InLine
from bot.domain.message import MessageState, ReplyTarget
from bot.storage.sql.session import SqlSession, table_of
from bot.storage.sql.tables import MessageRow, OutboxRow

_MESSAGES, _OUTBOX = table_of(MessageRow), table_of(OutboxRow)
_COLUMN = _MESSAGES.c
_IS_WAITING = _COLUMN.state == literal(MessageState.WAITING.value, literal_execute=True)
"""Written out, not bound: only so do the databases see that the partial index serves."""
_MOST: BindParameter[int] = bindparam("most")

_WAITING = select(func.count()).select_from(select(_COLUMN.id).where(_IS_WAITING).limit(_MOST).subquery())
_OLDEST = select(_COLUMN.sent_at).where(_IS_WAITING).order_by(_COLUMN.id).limit(1)
_NEWEST = select(_COLUMN.id).where(_IS_WAITING).order_by(_COLUMN.id.desc()).limit(1)
_UNSENT = select(func.count()).select_from(select(_OUTBOX.c.id).limit(_MOST).subquery())
_UNTOUCHED = (
    select(_COLUMN.id, _COLUMN.conversation, _COLUMN.kind, _COLUMN.message_id)
    .where(
        _IS_WAITING,
        _COLUMN.id > bindparam("after"),
        _COLUMN.id <= bindparam("upto"),
        _COLUMN.attempts == 0,
        _COLUMN.addressed_to_bot.is_(True),
        _COLUMN.author_is_bot.is_(False),
    )
    .order_by(_COLUMN.id)
    .limit(_MOST)
)


class SqlLine:
    """Fulfils `bot.ports.line.Line`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def backlog(self, *, most: int) -> Backlog:
        """Return how much waits."""
        ((waiting,),) = await self._sql.rows(_WAITING, {"most": most})
        ((unsent,),) = await self._sql.rows(_UNSENT, {"most": most})
        oldest, newest = await self._sql.row(_OLDEST, {}), await self._sql.row(_NEWEST, {})
        return Backlog(waiting, oldest[0] if oldest else None, newest[0] if newest else 0, unsent)

    async def untouched(self, *, after: int, upto: int, limit: int) -> Sequence[InLine]:
        """Return what waits and was not begun with."""
        rows = await self._sql.rows(_UNTOUCHED, {"after": after, "upto": upto, "most": limit})
        return [InLine(row, ReplyTarget(parse_key(key), ConversationKind(kind), message_id or "")) for row, key, kind, message_id in rows]
