"""What waits, over all conversations and in one. Every question is answered by an index and ends at a limit."""

from collections.abc import Sequence

from sqlalchemy import BindParameter, and_, bindparam, exists, func, literal, select

from bot.domain.chat import ConversationKey, ConversationKind, parse_key
from bot.domain.load import Backlog, InLine, Left
from bot.domain.message import MessageState, ReplyTarget
from bot.storage.sql.home_tables import DraftRow
from bot.storage.sql.messages import stored_message
from bot.storage.sql.outbox import SqlOutbox
from bot.storage.sql.privacy import SqlPeople
from bot.storage.sql.privacy_tables import PassingRow
from bot.storage.sql.session import SqlSession, table_of
from bot.storage.sql.tables import MessageRow, OutboxRow

_MESSAGES, _OUTBOX = table_of(MessageRow), table_of(OutboxRow)
_PASSING, _DRAFTS = table_of(PassingRow), table_of(DraftRow)
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

_HERE: BindParameter[str] = bindparam("here")
_OTHERS = select(
    exists().where(_OUTBOX.c.conversation == _HERE).label("has_unsent"),
    exists().where(_PASSING.c.conversation == _HERE).label("has_passing"),
    select(_DRAFTS.c.message_id).where(_DRAFTS.c.conversation == _HERE).scalar_subquery().label("draft_id"),
).subquery()
_LEFT = (
    select(_OTHERS, _MESSAGES)
    .select_from(_OTHERS.outerjoin(_MESSAGES, and_(_COLUMN.conversation == _HERE, _IS_WAITING)))
    .order_by(_COLUMN.id)
)
"""Always a row at least, that of a message or of none."""


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

    async def left(self, conversation: ConversationKey) -> Left:
        """Return what is left to do, with a further look only where something is."""
        rows = await self._sql.rows(_LEFT, {"here": str(conversation)})
        has_unsent, has_passing, draft_id, row, *_ = rows[0]
        return Left(
            unsent=await SqlOutbox(self._sql).unsent(conversation) if has_unsent else (),
            waiting=[] if row is None else [stored_message(message, conversation) for _, _, _, *message in rows],
            passing=await SqlPeople(self._sql).passing(conversation) if has_passing else frozenset(),
            draft_id=draft_id or "",
        )

    async def untouched(self, *, after: int, upto: int, limit: int) -> Sequence[InLine]:
        """Return what waits and was not begun with."""
        rows = await self._sql.rows(_UNTOUCHED, {"after": after, "upto": upto, "most": limit})
        return [InLine(row, ReplyTarget(parse_key(key), ConversationKind(kind), message_id or "")) for row, key, kind, message_id in rows]
