"""A space that goes on under another id, with all that is kept of it.

Tables are found by their columns, so that a new one is not forgotten. What stands under the new id already
stays: settings and choices there win, memories that would share a number get a new one.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Table, delete, select, update

from bot.domain.chat import Audience, AudienceKind, ConversationKey, space_audience
from bot.domain.erasing import OneConversation, OneSpace
from bot.ports.erasing import Erasable
from bot.storage.sql.answer_parts import PARTS
from bot.storage.sql.erasing_marks import held_stamps, new_stamps
from bot.storage.sql.erasing_messages import MESSAGES
from bot.storage.sql.erasing_places import conversations_of
from bot.storage.sql.erasing_tables import DepartureRow, ErasureRow
from bot.storage.sql.erasing_tombstones import bury, erased_at
from bot.storage.sql.home_tables import DraftRow
from bot.storage.sql.limits_tables import UsageDayRow
from bot.storage.sql.moving_merges import add_usage, join_entities, join_scopes, put_versions_behind, settle_pasts, take_clashing
from bot.storage.sql.moving_places import Move
from bot.storage.sql.past_tables import LeaseRow
from bot.storage.sql.recalls import RECALL_TABLES
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import BaseRow, OutboxRow

_DRAFTS, _OUTBOX, _LEASES = table_of(DraftRow), table_of(OutboxRow), table_of(LeaseRow)
_DEPARTURES, _ORDERS = table_of(DepartureRow), table_of(ErasureRow)
_USAGE = table_of(UsageDayRow)
_AUDIENCE = ("audience_kind", "audience_id")


async def move_space(sql: SqlSession, move: Move, at: datetime) -> Sequence[ConversationKey]:
    """Let everything of a space stand under its new id, and return its conversations there. Done again, it does nothing."""
    here = await conversations_of(sql, OneSpace(move.platform, move.old))
    audiences = _audiences(here, move)
    places = [*map(str, here), *map(str, audiences)]
    await held_stamps(sql, [*places, *map(move.text, places)])
    await _move_tombstones(sql, here, audiences, move, at)
    for audience in audiences:
        await _move_audience(sql, audience, here, move)
    for conversation in here:
        await _move_conversation(sql, str(conversation), move)
    await _move_rest(sql, move)
    await _move_orders(sql, move)
    await new_stamps(sql, [*places, *map(move.text, places)], at)
    return [move.key(conversation) for conversation in here]


def _audiences(conversations: Iterable[ConversationKey], move: Move) -> list[Audience]:
    whole = space_audience(ConversationKey(move.platform, move.old, move.old))
    return [whole, *(Audience(AudienceKind.CONVERSATION, str(key)) for key in conversations)]


async def _move_audience(sql: SqlSession, audience: Audience, here: Sequence[ConversationKey], move: Move) -> None:
    new = Audience(audience.kind, move.text(audience.id))
    if await join_scopes(sql, audience, new):
        # The notes name memories by numbers that have changed.
        for recalls in RECALL_TABLES:
            await sql.run(delete(recalls).where(recalls.c.conversation.in_([str(key) for key in here])), {})
    await join_entities(sql, audience, new)
    for table in tables_with(*_AUDIENCE):
        await take_clashing(sql, table, "audience_id", audience.id, new.id)
        is_here = (table.c.audience_kind == audience.kind.value, table.c.audience_id == audience.id)
        await sql.run(update(table).where(*is_here).values(audience_id=new.id), {})
    for table in tables_with("job", "subject"):
        ending = f" {audience}"
        for row in await sql.rows(select(table.c.subject).where(table.c.subject.endswith(ending, autoescape=True)).distinct(), {}):
            subject = f"{row.subject.removesuffix(ending)} {new}"
            await take_clashing(sql, table, "subject", row.subject, subject)
            await sql.run(update(table).where(table.c.subject == row.subject).values(subject=subject), {})


async def _move_conversation(sql: SqlSession, old: str, move: Move) -> None:
    new, prefix = move.text(old), f"{move.old}/"
    await settle_pasts(sql, old, new)
    # Numbers of messages begin anew in the new place, so the old ones are told apart.
    ids, quoted = MESSAGES.c.message_id, MESSAGES.c.quote_message_id
    await sql.run(update(MESSAGES).where(MESSAGES.c.conversation == old, ids != "").values(message_id=prefix + ids), {})
    await sql.run(update(MESSAGES).where(MESSAGES.c.conversation == old, quoted != "").values(quote_message_id=prefix + quoted), {})
    await sql.run(update(PARTS).where(PARTS.c.conversation == old).values(message_id=prefix + PARTS.c.message_id), {})
    # What was posted in the old place can be neither answered nor edited from the new one.
    await sql.run(update(_OUTBOX).where(_OUTBOX.c.conversation == old).values(reply_to="", draft_id=""), {})
    await sql.run(delete(_DRAFTS).where(_DRAFTS.c.conversation == old), {})
    for table in tables_with("conversation"):
        await take_clashing(sql, table, "conversation", old, new)
        await sql.run(update(table).where(table.c.conversation == old).values(conversation=new), {})
    await sql.run(delete(_LEASES).where(_LEASES.c.name == f"past:{old}"), {})


async def _move_rest(sql: SqlSession, move: Move) -> None:
    """Move what admins have set, and what is counted or kept for the whole space."""
    left = (_DEPARTURES.c.platform == move.platform, _DEPARTURES.c.space_id == move.old)
    await sql.run(delete(_DEPARTURES).where(*left), {})  # nobody has left: it has only moved
    await add_usage(sql, _USAGE, move)
    await put_versions_behind(sql, move)
    for table in tables_with("platform", "space_id"):
        is_here = (table.c.platform == move.platform, table.c.space_id == move.old)
        for row in await sql.rows(select(table).where(*is_here), {}):
            values = move.row(row._asdict())
            await sql.run(insert_into(table, sql.dialect).values(values).on_conflict_do_nothing(), {})
        await sql.run(delete(table).where(*is_here), {})


async def _move_orders(sql: SqlSession, move: Move) -> None:
    """Let erasures that are not at their end go on in the new place."""
    for row in await sql.rows(select(_ORDERS.c.id, _ORDERS.c.target).where(_ORDERS.c.target != ""), {}):
        target = move.order(row.target)
        if target != row.target:
            await sql.run(update(_ORDERS).where(_ORDERS.c.id == row.id).values(target=target), {})


async def _move_tombstones(
    sql: SqlSession, conversations: Sequence[ConversationKey], audiences: Sequence[Audience], move: Move, at: datetime
) -> None:
    """Keep of the new place, too, that something was erased of the old one."""
    new: dict[Erasable, Erasable] = {OneSpace(move.platform, move.old): OneSpace(move.platform, move.new)}
    new |= {OneConversation(key): OneConversation(move.key(key)) for key in conversations}
    new |= {audience: Audience(audience.kind, move.text(audience.id)) for audience in audiences}
    for thing, erased in (await erased_at(sql, list(new))).items():
        await bury(sql, [new[thing]], min(erased, at))


def tables_with(*columns: str) -> list[Table]:
    """Return the tables that have all these columns."""
    return [table for table in BaseRow.metadata.sorted_tables if set(columns) <= set(table.c.keys())]
