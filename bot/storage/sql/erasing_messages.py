"""Messages that go, and what goes with them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, update

from bot.domain.chat import ConversationKey, parse_key
from bot.domain.erasing import Counts, Kept, added
from bot.domain.message import MessageState, Role, StoredMessage
from bot.ports.erasing import Taken
from bot.storage.sql.answer_parts import parts_of, shows
from bot.storage.sql.erasing_lists import delete_where, in_batches
from bot.storage.sql.erasing_marks import expect_no_message
from bot.storage.sql.erasing_names import names_in, settle_names
from bot.storage.sql.erasing_past import take_past
from bot.storage.sql.messages import stored_message
from bot.storage.sql.recalls import take_notes
from bot.storage.sql.session import SqlSession, table_of
from bot.storage.sql.tables import MessageRow, OutboxRow

MESSAGES, _OUTBOX = table_of(MessageRow), table_of(OutboxRow)
_COLUMN = MESSAGES.c
_NO_QUOTE = {column.name: None for column in _COLUMN if column.name.startswith("quote_")}


def by_person(person_id: str) -> ColumnElement[bool]:
    """Return what holds for what a person wrote. A persona may bear the id of a person."""
    return and_(_COLUMN.author_id == person_id, _COLUMN.role == Role.USER.value)


async def said_there(
    sql: SqlSession, conversation: ConversationKey, *, person_id: str, message_ids: Collection[str], limit: int
) -> Sequence[StoredMessage]:
    """Return the first messages of a conversation that are meant."""
    wanted: Select[tuple[object, ...]] = select(MESSAGES).where(_COLUMN.conversation == str(conversation)).order_by(_COLUMN.id).limit(limit)
    if person_id:
        wanted = wanted.where(by_person(person_id))
    if message_ids:
        wanted = wanted.where(shows(str(conversation), message_ids))
    return [stored_message(row, conversation) for row in await sql.rows(wanted, {})]


async def unsent_answers(sql: SqlSession, conversation: ConversationKey, message_ids: Collection[str]) -> Sequence[StoredMessage]:
    """Return replies on their way that answer these messages."""
    here = (_OUTBOX.c.conversation == str(conversation), _OUTBOX.c.reply_to.in_(sorted(set(message_ids) - {""})))
    wanted = select(MESSAGES).where(_COLUMN.id.in_(select(_OUTBOX.c.message_row).where(*here)))
    return [stored_message(row, conversation) for row in await sql.rows(wanted, {})]


async def hide(sql: SqlSession, conversation: ConversationKey, *, person_id: str = "", message_ids: Collection[str] = ()) -> None:
    """Leave messages out of all histories: those of a person, those of these ids, else all."""
    here = [_COLUMN.conversation == str(conversation)]
    meant = [by_person(person_id)] if person_id else [shows(str(conversation), message_ids)] if message_ids else []
    await sql.run(update(MESSAGES).where(*here, *meant).values(state=MessageState.FAILED.value), {})


async def take(sql: SqlSession, conversation: ConversationKey, messages: Sequence[StoredMessage], *, person_id: str, at: datetime) -> Taken:
    """Delete messages, and all that quotes them, tells of them or was taken from them."""
    rows = {message.id for message in messages}
    ids = await _ids_of(sql, messages)
    await expect_no_message(sql, conversation, ids, at)
    touched = await _take_quotes(sql, conversation, ids, person_id, going=rows)
    quotes = sum(map(len, touched.values()))
    touched[str(conversation)] |= rows
    names = await names_in(sql, rows)
    counts = added({Kept.QUOTES: quotes}, await _delete(sql, rows, touched), await settle_names(sql, names))
    structured: dict[ConversationKey, Sequence[int]] = {}
    for place, changed in touched.items():
        past = await take_past(sql, place, changed)
        counts = added(counts, past.counts)
        structured[parse_key(place)] = past.structured
    return Taken(counts, structured)


async def _ids_of(sql: SqlSession, messages: Collection[StoredMessage]) -> set[str]:
    """Return the platform's ids of messages, with those of all parts of long answers."""
    ids = {message.message_id for message in messages} - {""}
    answers = [message.id for message in messages if message.role is Role.ASSISTANT]
    for some in in_batches(answers):
        ids |= {part for parts in (await parts_of(sql, some)).values() for part in parts}
    return ids


async def _delete(sql: SqlSession, rows: Collection[int], touched: Mapping[str, Collection[int]]) -> Counts:
    unsent = messages = 0
    recalls = await take_notes(sql, {place: min(changed) for place, changed in touched.items() if changed}) if rows else 0
    for some in in_batches(rows):
        unsent += await delete_where(sql, _OUTBOX, _OUTBOX.c.message_row.in_(some))
        messages += await delete_where(sql, MESSAGES, _COLUMN.id.in_(some))
    return {Kept.MESSAGES: messages, Kept.UNSENT: unsent, Kept.RECALLS: recalls}


async def _take_quotes(
    sql: SqlSession, conversation: ConversationKey, ids: Collection[str], person_id: str, *, going: Collection[int]
) -> defaultdict[str, set[int]]:
    """Empty the quotes of these messages, or of a person, in messages that stay; return where these are."""
    quotes: list[ColumnElement[bool]] = [_COLUMN.quote_message_id.in_(sorted(ids))] if ids else []
    quotes += [_COLUMN.quote_author_id == person_id] if person_id else []
    touched = defaultdict[str, set[int]](set)
    if not quotes:
        return touched
    for row in await sql.rows(select(_COLUMN.id, _COLUMN.conversation).where(is_place(conversation), or_(*quotes)), {}):
        if row.id not in going:
            touched[row.conversation].add(row.id)
    for some in in_batches(row for rows in touched.values() for row in rows):
        await sql.run(update(MESSAGES).where(_COLUMN.id.in_(some)).values(_NO_QUOTE), {})
    return touched


def is_place(conversation: ConversationKey) -> ColumnElement[bool]:
    """Return what holds for a conversation and, if it is no discussion, for the discussions beside it."""
    here = str(conversation)
    if conversation.discussion:
        return _COLUMN.conversation == here
    beside = func.substr(_COLUMN.conversation, 1, len(here) + 1) == f"{here}:"
    return or_(_COLUMN.conversation == here, and_(begins(_COLUMN.conversation, f"{here}:"), beside))


def begins(column: ColumnElement[str], beginning: str) -> ColumnElement[bool]:
    """Return what holds where a text begins so; large and small letters are one on SQLite.

    A server walks an index for it if it sorts texts by their bytes.
    """
    return column.startswith(beginning, autoescape=True)
