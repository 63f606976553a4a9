"""Messages."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Executable, and_, bindparam, exists, func, literal, select, update

from bot.domain.chat import Audience, ConversationKey, ConversationKind, is_within, parse_key
from bot.domain.memory import RecallNote
from bot.domain.message import Attachment, IncomingMessage, MessageState, Person, Quote, ReplyTarget, Role, StoredMessage
from bot.domain.past import PastNote
from bot.storage.sql.answer_parts import keep_part, parts_of
from bot.storage.sql.erasing_marks import is_erased
from bot.storage.sql.erasing_tombstones import without_erased
from bot.storage.sql.files import files_of, keep_files, let_go_of_files
from bot.storage.sql.people import person_columns
from bot.storage.sql.privacy_tables import PassingRow
from bot.storage.sql.recalls import keep_notes, notes_of, past_notes_of
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MessageRow

_MESSAGES = table_of(MessageRow)
_COLUMN = _MESSAGES.c
_HERE = _COLUMN.conversation == bindparam("here")
_IS_WAITING = _COLUMN.state == literal(MessageState.WAITING.value, literal_execute=True)
"""Written out, not bound: only so do the databases see that the partial index serves."""
_KINDS = {kind.value: kind for kind in ConversationKind}
_ROLES = {role.value: role for role in Role}
_STATES = {state.value: state for state in MessageState}
_LAST_ROW = 2**62
_NO_LIMIT = 2**31
LOOKED_BACK = 100_000
"""How many of the newest messages, of all places, are looked through for the last one of each place."""
_IS_ONE_OF = _COLUMN.id.in_(bindparam("rows", expanding=True))

_PASSING = table_of(PassingRow)
_IS_SAID = and_(_COLUMN.state != MessageState.FAILED.value, ~exists().where(_PASSING.c.message_row == _COLUMN.id))
"""Neither a notice nor the words of somebody who opted out."""
_MOST_ROWS = 1000
"""So many ids stand in one statement."""

_GET = select(_MESSAGES).where(_COLUMN.id == bindparam("row"))
_HISTORY = (
    select(_MESSAGES)
    .where(_HERE, _COLUMN.id > bindparam("after"), _COLUMN.id < bindparam("before"), _IS_SAID)
    .order_by(_COLUMN.id.desc())
    .limit(bindparam("most"))
)
_PAGE = select(_MESSAGES).where(_HERE, _COLUMN.id > bindparam("after"), _IS_SAID).order_by(_COLUMN.id).limit(bindparam("most"))
_SEVERAL = select(_MESSAGES).where(_HERE, _IS_ONE_OF, _IS_SAID)
_LATELY = (
    select(_COLUMN.id, _COLUMN.conversation, _COLUMN.role, _COLUMN.author_is_bot).order_by(_COLUMN.id.desc()).limit(LOOKED_BACK).subquery()
)
_LAST_OF_PEOPLE = (
    select(func.max(_LATELY.c.id))
    .where(
        _LATELY.c.conversation.like(bindparam("pattern"), escape="/"),
        _LATELY.c.role == Role.USER.value,
        _LATELY.c.author_is_bot.is_(False),
    )
    .group_by(_LATELY.c.conversation)
)
_LAST_HEARD = select(_MESSAGES).where(_COLUMN.id.in_(_LAST_OF_PEOPLE)).order_by(_COLUMN.id.desc()).limit(bindparam("most"))
_WAITING = select(_MESSAGES).where(_HERE, _IS_WAITING).order_by(_COLUMN.id)
_WAITING_CONVERSATIONS = (
    select(_COLUMN.conversation).where(_IS_WAITING).group_by(_COLUMN.conversation).order_by(func.min(_COLUMN.id)).limit(bindparam("most"))
)
_SET_STATE = update(_MESSAGES).where(_IS_ONE_OF).values(state=bindparam("new_state"))
_SETTLE = _SET_STATE.where(_IS_WAITING)
_COUNT_ATTEMPT = update(_MESSAGES).where(_IS_ONE_OF).values(attempts=_COLUMN.attempts + bindparam("weight"))
_REOPEN = update(_MESSAGES).where(_IS_ONE_OF).values(state=MessageState.WAITING.value, attempts=0)
_CHANGE_TEXT = update(_MESSAGES).where(_HERE, _COLUMN.message_id == bindparam("known_id")).values(text=bindparam("new_text"))
_TELL = update(_MESSAGES).where(_COLUMN.id == bindparam("row")).values(text=bindparam("new_text"))
_OTHER = _MESSAGES.alias("other")
_SET_PLATFORM_ID = (
    update(_MESSAGES)
    .where(
        _COLUMN.id == bindparam("row"),
        ~exists().where(_OTHER.c.conversation == _COLUMN.conversation, _OTHER.c.message_id == bindparam("new_id")),
    )
    .values(message_id=bindparam("new_id"))
)


class SqlMessages:
    """Fulfils `bot.ports.messages.Messages`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def record(self, message: IncomingMessage, state: MessageState) -> StoredMessage | None:
        """Store a message the first time it comes, unless it was erased; without the quote of one that was."""
        if await is_erased(self._sql, message.conversation, message.message_id):
            return None
        stored = await self._insert(
            {
                "conversation": str(message.conversation),
                "kind": message.kind.value,
                "message_id": message.message_id or None,
                "role": Role.USER.value,
                "text": message.text,
                "sent_at": message.sent_at,
                "state": state.value,
                "addressed_to_bot": message.addressed_to_bot,
                "persona_id": "",
                "history_start": 0,
                "is_public": message.is_public,
            },
            message.author,
            await without_erased(self._sql, message.conversation, message.quote),
        )
        if stored is not None and message.attachments and state is MessageState.WAITING:
            await keep_files(self._sql, stored.id, message.attachments)
        return stored

    async def record_reply(
        self, target: ReplyTarget, persona_id: str, name: str, text: str, *, at: datetime, history_start: int = 0
    ) -> StoredMessage:
        """Store a persona's line."""
        values = {
            "conversation": str(target.conversation),
            "kind": target.kind.value,
            "message_id": None,
            "role": Role.ASSISTANT.value,
            "text": text,
            "sent_at": at,
            "state": MessageState.DONE.value,
            "addressed_to_bot": False,
            "persona_id": persona_id,
            "history_start": history_start,
            "is_public": False,
        }
        reply = await self._insert(values, Person(persona_id, name, is_bot=True), quote=None)
        assert reply is not None, "a line without a message id clashes with no other"
        return reply

    async def get(self, audience: Audience, row: int) -> StoredMessage | None:
        """Return one message of an audience."""
        found = await self._sql.row(_GET, {"row": row})
        message = None if found is None else stored_message(found)
        return message if message and is_within(audience, message.conversation, message.kind, message.author.id) else None

    async def history(
        self, conversation: ConversationKey, *, before: int | None = None, after: int = 0, limit: int
    ) -> Sequence[StoredMessage]:
        """Return the last messages, oldest first."""
        values = {"here": str(conversation), "before": _LAST_ROW if before is None else before, "after": after, "most": limit}
        return [stored_message(row, conversation) for row in reversed(await self._sql.rows(_HISTORY, values))]

    async def page(self, conversation: ConversationKey, *, after: int = 0, limit: int) -> Sequence[StoredMessage]:
        """Return the first messages after one."""
        values = {"here": str(conversation), "after": after, "most": limit}
        return [stored_message(row, conversation) for row in await self._sql.rows(_PAGE, values)]

    async def several(self, conversation: ConversationKey, rows: Collection[int]) -> Sequence[StoredMessage]:
        """Return messages by their rows."""
        wanted, found = sorted(set(rows)), list[StoredMessage]()
        for start in range(0, len(wanted), _MOST_ROWS):
            values = {"here": str(conversation), "rows": wanted[start : start + _MOST_ROWS]}
            found += [stored_message(row, conversation) for row in await self._sql.rows(_SEVERAL, values)]
        return sorted(found, key=lambda message: message.id)

    async def last_heard(self, platform: str, *, limit: int) -> Sequence[StoredMessage]:
        """Return the last message of a person in each conversation of a platform."""
        start = str(ConversationKey(platform, "", "")).split(":", maxsplit=1)[0]
        pattern = start.replace("_", "/_").replace("%", "/%") + ":%"
        return [stored_message(row) for row in await self._sql.rows(_LAST_HEARD, {"pattern": pattern, "most": limit})]

    async def waiting(self, conversation: ConversationKey) -> Sequence[StoredMessage]:
        """Return the messages that wait."""
        return [stored_message(row, conversation) for row in await self._sql.rows(_WAITING, {"here": str(conversation)})]

    async def waiting_conversations(self, *, limit: int | None = None) -> Sequence[ConversationKey]:
        """Return where messages wait."""
        most = {"most": _NO_LIMIT if limit is None else limit}
        return [parse_key(row.conversation) for row in await self._sql.rows(_WAITING_CONVERSATIONS, most)]

    async def set_state(self, rows: Sequence[int], state: MessageState) -> None:
        """Move messages to a state."""
        await self._sql.run(_SET_STATE, {"rows": list(rows), "new_state": state.value})
        if state is not MessageState.WAITING:
            await let_go_of_files(self._sql, rows)

    async def settle(self, rows: Sequence[int]) -> bool:
        """Move messages that wait to DONE."""
        moved = await self._sql.run(_SETTLE, {"rows": list(rows), "new_state": MessageState.DONE.value})
        await let_go_of_files(self._sql, rows)
        return moved == len(rows)

    async def files(self, rows: Collection[int]) -> Mapping[int, Sequence[Attachment]]:
        """Return files that are still to be looked at."""
        return await files_of(self._sql, rows)

    async def tell_files(self, row: int, text: str, left: Sequence[Attachment]) -> None:
        """Replace a text by one that tells what files say."""
        await self._sql.run(_TELL, {"row": row, "new_text": text})
        await keep_files(self._sql, row, left)

    async def count_attempt(self, rows: Sequence[int], *, weight: int = 1) -> None:
        """Add an attempt."""
        await self._sql.run(_COUNT_ATTEMPT, {"rows": list(rows), "weight": weight})

    async def reopen(self, rows: Sequence[int]) -> None:
        """Let messages wait again."""
        await self._sql.run(_REOPEN, {"rows": list(rows)})

    async def note_recalled(self, row: int, notes: Sequence[RecallNote], past: Sequence[PastNote] = ()) -> None:
        """Keep what stood in a reply's prompt."""
        await keep_notes(self._sql, row, notes, past)

    async def recalled(self, conversation: ConversationKey, row: int | None = None) -> Sequence[RecallNote]:
        """Return which memories stood in such a prompt."""
        return await notes_of(self._sql, str(conversation), row)

    async def recalled_past(self, conversation: ConversationKey, row: int | None = None) -> Sequence[PastNote]:
        """Return what of the past stood in it."""
        return await past_notes_of(self._sql, str(conversation), row)

    async def set_platform_id(self, row: int, message_id: str) -> None:
        """Give a reply its id, unless the platform's echo of it came first."""
        await self._sql.run(_SET_PLATFORM_ID, {"row": row, "new_id": message_id})

    async def keep_part(self, row: int, number: int, message_id: str) -> None:
        """Keep the id of a further part."""
        await keep_part(self._sql, row, number, message_id)

    async def parts_of(self, rows: Collection[int]) -> Mapping[int, Sequence[str]]:
        """Return the ids of further parts."""
        return await parts_of(self._sql, rows)

    async def change_text(self, conversation: ConversationKey, message_id: str, text: str) -> bool:
        """Replace a text."""
        values = {"here": str(conversation), "known_id": message_id, "new_text": text}
        return await self._sql.run(_CHANGE_TEXT, values) > 0

    async def _insert(self, values: Mapping[str, object], author: Person, quote: Quote | None) -> StoredMessage | None:
        people = {**person_columns("author", author), **person_columns("quote_author", quote.author if quote else None)}
        quoted = {"quote_message_id": quote.message_id if quote else None, "quote_text": quote.text if quote else None}
        row = await self._sql.row(_recording(self._sql.dialect), {**values, **people, **quoted, "attempts": 0})
        return None if row is None else stored_message(row)


@cache
def _recording(dialect: str) -> Executable:
    insert = insert_into(_MESSAGES, dialect)
    if dialect == "sqlite":
        return insert.on_conflict_do_nothing(index_elements=["conversation", "message_id"]).returning(*_COLUMN)
    # A server's table is cut in parts, whose own indexes know nothing of what stands in others.
    names = [column.name for column in _COLUMN if column.name != "id"]
    is_known = exists().where(_OTHER.c.conversation == bindparam("conversation"), _OTHER.c.message_id == bindparam("message_id"))
    told = select(*[bindparam(name, type_=_COLUMN[name].type) for name in names]).where(~is_known)
    return insert.from_select(names, told).on_conflict_do_nothing().returning(*_COLUMN)


def stored_message(row: Sequence[Any], conversation: ConversationKey | None = None) -> StoredMessage:
    """Return the message of a row."""
    # Taken apart at once: a row's fields by name cost half a millisecond in forty messages.
    # fmt: off
    (
        row_id, key, kind, message_id, role, author_id, author_name, author_is_bot, author_is_service,
        text, sent_at, state, addressed_to_bot, attempts, persona_id,
        quote_id, quoted_id, quoted_name, quoted_is_bot, quoted_is_service, quoted_text,
        history_start, is_public,
    ) = row
    # fmt: on
    quote = None
    if quote_id is not None:
        quote = Quote(quote_id, Person(quoted_id, quoted_name, quoted_is_bot, quoted_is_service), quoted_text)
    return StoredMessage(
        id=row_id,
        conversation=conversation or parse_key(key),
        kind=_KINDS[kind],
        message_id=message_id or "",
        role=_ROLES[role],
        author=Person(author_id, author_name, author_is_bot, author_is_service),
        text=text,
        sent_at=sent_at,
        state=_STATES[state],
        addressed_to_bot=addressed_to_bot,
        quote=quote,
        attempts=attempts,
        persona_id=persona_id,
        history_start=history_start,
        is_public=is_public,
    )
