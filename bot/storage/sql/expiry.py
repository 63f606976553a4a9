"""Messages that have been kept long enough."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, exists, func, or_, select

from bot.domain.chat import ConversationKey, parse_key
from bot.domain.message import MessageState
from bot.domain.past import ChunkState
from bot.ports.people import Expired
from bot.storage.sql.chunks import CHUNKS
from bot.storage.sql.erasing_lists import in_batches
from bot.storage.sql.erasing_names import names_in, settle_names
from bot.storage.sql.past_tables import PastRow
from bot.storage.sql.session import SqlSession, table_of
from bot.storage.sql.tables import MessageRow, OutboxRow

_MESSAGES, _OUTBOX, _PASTS = table_of(MessageRow), table_of(OutboxRow), table_of(PastRow)
_COLUMN = _MESSAGES.c
_HERE = _COLUMN.conversation == bindparam("here")

_NEXT = select(func.min(_COLUMN.conversation)).where(_COLUMN.conversation > bindparam("after"))
"""Walks the index from one conversation to the next."""
_WINDOW = select(_COLUMN.id, _COLUMN.sent_at).where(_HERE, _COLUMN.id > bindparam("after")).order_by(_COLUMN.id).limit(bindparam("most"))
_SHOWN = select(func.coalesce(func.max(_PASTS.c.generation), 0)).where(_PASTS.c.conversation == bindparam("here")).scalar_subquery()
_IS_SUMMARISED = exists().where(
    CHUNKS.c.conversation == bindparam("here"),
    CHUNKS.c.generation == _SHOWN,
    CHUNKS.c.state == ChunkState.DONE.value,
    CHUNKS.c.first_row <= _COLUMN.id,
    CHUNKS.c.last_row >= _COLUMN.id,
    CHUNKS.c.ended_at < bindparam("old"),
)
_EXPIRED = (
    select(_COLUMN.id)
    .where(
        _HERE,
        _COLUMN.id > bindparam("after"),
        _COLUMN.id <= bindparam("last"),
        _COLUMN.state != MessageState.WAITING.value,
        ~exists().where(_OUTBOX.c.message_row == _COLUMN.id),
        or_(_COLUMN.sent_at < bindparam("long_ago"), and_(_COLUMN.sent_at < bindparam("old"), _IS_SUMMARISED)),
    )
    .order_by(_COLUMN.id)
)
_GO = delete(_MESSAGES).where(_HERE, _COLUMN.id.in_(bindparam("rows", expanding=True)))


class SqlExpiry:
    """Fulfils `bot.ports.people.Expiry`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def conversations(self, *, after: str = "", limit: int) -> Sequence[ConversationKey]:
        """Return the next conversations."""
        found: list[str] = []
        while len(found) < limit:
            ((place,),) = await self._sql.rows(_NEXT, {"after": found[-1] if found else after})
            if place is None:
                break
            found.append(place)
        return [parse_key(place) for place in found]

    async def expired(
        self, conversation: ConversationKey, *, before: datetime, unsummarised_before: datetime, after: int = 0, limit: int
    ) -> Expired:
        """Return what may go of the next messages."""
        here = str(conversation)
        window = await self._sql.rows(_WINDOW, {"here": here, "after": after, "most": limit})
        if not any(row.sent_at < before for row in window):
            return Expired((), None)
        last = window[-1].id
        values = {"here": here, "after": after, "last": last, "old": before, "long_ago": unsummarised_before}
        rows = [row.id for row in await self._sql.rows(_EXPIRED, values)]
        return Expired(rows, last if len(window) == limit else None)

    async def remove(self, conversation: ConversationKey, rows: Collection[int]) -> int:
        """Delete messages. What one of them has ended does not hold again: it was only said long ago."""
        names = await names_in(self._sql, rows)
        values = [{"here": str(conversation), "rows": list(some)} for some in in_batches(rows)]
        gone = sum([await self._sql.run(_GO, each) for each in values])
        await settle_names(self._sql, replace(names, ended=()))
        return gone
