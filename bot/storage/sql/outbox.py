"""Replies on their way out."""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Executable, bindparam, delete, func, insert, select, update

from bot.domain.chat import ConversationKey, ConversationKind, parse_key
from bot.domain.message import Byline, OutboxEntry, ReplyTarget
from bot.storage.sql.home_tables import DraftRow
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MessageRow, OutboxRow

_OUTBOX = table_of(OutboxRow)
_COLUMN = _OUTBOX.c
_IS_ENTRY = _COLUMN.id == bindparam("entry")

_PUT = insert(_OUTBOX).returning(_COLUMN.id)
_LINES = table_of(MessageRow)
_UNSENT = (
    select(_OUTBOX, _LINES.c.persona_id, _LINES.c.author_name)
    .outerjoin(_LINES, _LINES.c.id == _COLUMN.message_row)
    .where(_COLUMN.conversation == bindparam("conversation"))
    .order_by(_COLUMN.id)
)
_UNSENT_CONVERSATIONS = select(_COLUMN.conversation).group_by(_COLUMN.conversation).order_by(func.min(_COLUMN.id)).limit(bindparam("most"))
_NO_LIMIT = 2**31
_MARK = update(_OUTBOX).where(_IS_ENTRY).values(parts_sent=bindparam("sent"))
_REMOVE = delete(_OUTBOX).where(_IS_ENTRY)

_DRAFTS = table_of(DraftRow)
_IS_THERE = _DRAFTS.c.conversation == bindparam("there")
_DRAFT = select(_DRAFTS.c.message_id).where(_IS_THERE)
_DRAFTED = select(_DRAFTS.c.conversation).order_by(_DRAFTS.c.conversation)
_NO_DRAFT = delete(_DRAFTS).where(_IS_THERE)


class SqlOutbox:
    """Fulfils `bot.ports.messages.Outbox`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def put(self, target: ReplyTarget, text: str, message_row: int, *, draft_id: str = "", as_file: bool = False) -> OutboxEntry:
        """Store a reply."""
        values = {
            "conversation": str(target.conversation),
            "kind": target.kind.value,
            "reply_to": target.reply_to,
            "text": text,
            "parts_sent": 0,
            "message_row": message_row,
            "draft_id": draft_id,
            "as_file": as_file,
        }
        ((entry_id,),) = await self._sql.rows(_PUT, values)
        if draft_id:
            await self.set_draft(target.conversation, "")
        return OutboxEntry(entry_id, target, text, parts_sent=0, message_row=message_row, draft_id=draft_id, as_file=as_file)

    async def unsent(self, conversation: ConversationKey) -> Sequence[OutboxEntry]:
        """Return what is to be sent to a conversation."""
        return [
            OutboxEntry(
                id=row.id,
                target=ReplyTarget(conversation, ConversationKind(row.kind), row.reply_to),
                text=row.text,
                parts_sent=row.parts_sent,
                message_row=row.message_row,
                draft_id=row.draft_id,
                as_file=row.as_file,
                byline=Byline(row.persona_id, row.author_name) if row.persona_id else None,
            )
            for row in await self._sql.rows(_UNSENT, {"conversation": str(conversation)})
        ]

    async def unsent_conversations(self, *, limit: int | None = None) -> Sequence[ConversationKey]:
        """Return where replies are to be sent."""
        most = {"most": _NO_LIMIT if limit is None else limit}
        return [parse_key(row.conversation) for row in await self._sql.rows(_UNSENT_CONVERSATIONS, most)]

    async def mark_part_sent(self, entry_id: int, parts_sent: int) -> None:
        """Note the parts sent."""
        await self._sql.run(_MARK, {"entry": entry_id, "sent": parts_sent})

    async def remove(self, entry_id: int) -> None:
        """Drop a reply."""
        await self._sql.run(_REMOVE, {"entry": entry_id})

    async def draft(self, conversation: ConversationKey) -> str:
        """Return the message that shows an unfinished answer."""
        row = await self._sql.row(_DRAFT, {"there": str(conversation)})
        return str(row.message_id) if row else ""

    async def drafted_conversations(self) -> Sequence[ConversationKey]:
        """Return where unfinished answers are shown."""
        return [parse_key(row.conversation) for row in await self._sql.rows(_DRAFTED, {})]

    async def set_draft(self, conversation: ConversationKey, message_id: str) -> None:
        """Keep which message that is."""
        if message_id:
            await self._sql.run(_drafting(self._sql.dialect), {"conversation": str(conversation), "message_id": message_id})
        else:
            await self._sql.run(_NO_DRAFT, {"there": str(conversation)})


@cache
def _drafting(dialect: str) -> Executable:
    drafting = insert_into(_DRAFTS, dialect)
    return drafting.on_conflict_do_update(index_elements=["conversation"], set_={"message_id": drafting.excluded.message_id})
