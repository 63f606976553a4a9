"""What is being erased, and what keeps it from coming back: stamps on places for some days, digests of messages for good."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from hashlib import blake2b
from secrets import randbits

from sqlalchemy import Executable, bindparam, delete, insert, select, update

from bot.domain.chat import ConversationKey
from bot.domain.erasing import Departure, Erasure, ErasurePlan, ErasureState, ErasureTarget
from bot.storage.sql.erasing_lists import in_batches
from bot.storage.sql.erasing_tables import DepartureRow, ErasedMessageRow, ErasureRow, ErasureStampRow
from bot.storage.sql.erasing_targets import counts_in, counts_text, order_in, order_text
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of

MARKS_KEPT = timedelta(days=3)
"""No work that was begun before takes so long."""
_DIGEST_BYTES = 16
_STAMP_BITS = 62

_ORDERS, _STAMPS = table_of(ErasureRow), table_of(ErasureStampRow)
_GONE, _LEFT = table_of(ErasedMessageRow), table_of(DepartureRow)
_ADD = insert(_ORDERS).returning(_ORDERS.c.id)
_KEEP = (
    update(_ORDERS)
    .where(_ORDERS.c.id == bindparam("order"))
    .values(target=bindparam("new_target"), state=bindparam("new_state"), counts=bindparam("new_counts"))
)
_END = delete(_ORDERS).where(_ORDERS.c.id == bindparam("order"))
_ALL = select(_ORDERS).order_by(_ORDERS.c.id)
_STAMPS_OF = select(_STAMPS.c.place, _STAMPS.c.stamp).where(_STAMPS.c.place.in_(bindparam("places", expanding=True)))
_OLD_STAMPS = delete(_STAMPS).where(_STAMPS.c.at < bindparam("before"))
_ARE_GONE = select(_GONE.c.message).where(_GONE.c.message.in_(bindparam("digests", expanding=True)))
_BACK = delete(_LEFT).where(_LEFT.c.platform == bindparam("there"), _LEFT.c.space_id == bindparam("space"))
_DEPARTURES = select(_LEFT).order_by(_LEFT.c.at, _LEFT.c.platform, _LEFT.c.space_id)


async def begin_order(sql: SqlSession, target: ErasureTarget, plan: ErasurePlan, at: datetime) -> Erasure:
    """Keep that something is to be erased."""
    erasure = Erasure(0, target, plan, ErasureState.BEGUN, {}, at)
    values = {"target": order_text(target, plan), "state": erasure.state.value, "counts": "{}", "at": at}
    ((order_id,),) = await sql.rows(_ADD, values)
    return replace(erasure, id=order_id)


async def keep_order(sql: SqlSession, erasure: Erasure) -> None:
    """Keep how far an erasure has come; its target goes with what it names."""
    target = order_text(erasure.target, erasure.plan) if erasure.target else ""
    values = {"new_target": target, "new_state": erasure.state.value, "new_counts": counts_text(erasure.counts)}
    await sql.run(_KEEP, {"order": erasure.id, **values})


async def end_order(sql: SqlSession, order_id: int) -> None:
    """Let go of an erasure."""
    await sql.run(_END, {"order": order_id})


async def open_orders(sql: SqlSession) -> Sequence[Erasure]:
    """Return all erasures that are not at their end."""
    return [_erasure(row) for row in await sql.rows(_ALL, {})]


async def held_stamps(sql: SqlSession, places: Collection[str]) -> Sequence[int]:
    """Hold places, and return their stamps in the order of their texts."""
    digests = [_digest(place) for place in sorted(set(places))]
    await sql.hold(*(f"erasing {digest}" for digest in digests))
    known = {row.place: row.stamp for row in await sql.rows(_STAMPS_OF, {"places": digests})}
    return [known.get(digest, 0) for digest in digests]


async def new_stamps(sql: SqlSession, places: Collection[str], at: datetime) -> None:
    """Give places new stamps. They are drawn, not counted: none comes again when old ones are let go."""
    await sql.run(_OLD_STAMPS, {"before": at - MARKS_KEPT})
    rows = [{"place": _digest(place), "stamp": randbits(_STAMP_BITS), "at": at} for place in sorted(set(places))]
    if rows:
        await sql.run(_stamping(sql.dialect), rows)


async def expect_no_message(sql: SqlSession, conversation: ConversationKey, message_ids: Iterable[str], at: datetime) -> None:
    """Let messages not be recorded any more."""
    rows = [{"message": message_digest(conversation, message_id), "at": at} for message_id in sorted(set(message_ids) - {""})]
    if rows:
        await sql.run(_marking(sql.dialect), rows)


async def is_erased(sql: SqlSession, conversation: ConversationKey, message_id: str) -> bool:
    """Say whether a message must not be recorded. What a thread was made from has its id, and was said in the channel above it."""
    began = [replace(conversation, thread_id="")] if message_id == conversation.thread_id else []
    digests = [message_digest(place, message_id) for place in (conversation, *began)]
    return bool(message_id) and bool(await sql.rows(_ARE_GONE, {"digests": digests}))


async def erased_messages(sql: SqlSession, conversation: ConversationKey, message_ids: Iterable[str]) -> frozenset[str]:
    """Return those of the ids whose messages must not be recorded."""
    digests = {message_digest(conversation, message_id): message_id for message_id in set(message_ids) - {""}}
    found = [row.message for some in in_batches(digests) for row in await sql.rows(_ARE_GONE, {"digests": list(some)})]
    return frozenset(digests[digest] for digest in found)


async def note_departure(sql: SqlSession, platform: str, space_id: str, at: datetime) -> None:
    """Note that the bot has left a space."""
    await sql.run(_leaving(sql.dialect), {"platform": platform, "space_id": space_id, "at": at})


async def drop_departure(sql: SqlSession, platform: str, space_id: str) -> None:
    """Note that the bot is in a space."""
    await sql.run(_BACK, {"there": platform, "space": space_id})


async def all_departures(sql: SqlSession) -> Sequence[Departure]:
    """Return the spaces that the bot has left."""
    return [Departure(*row) for row in await sql.rows(_DEPARTURES, {})]


def message_digest(conversation: ConversationKey, message_id: str) -> str:
    """Return what stands for a message of a place, whatever discussion it was said in."""
    return _digest(f"{replace(conversation, discussion='')} {message_id}")


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()


def _erasure(row: Fields) -> Erasure:
    target, plan = order_in(row.target)
    return Erasure(row.id, target, plan, ErasureState(row.state), counts_in(row.counts), row.at)


@cache
def _stamping(dialect: str) -> Executable:
    statement = insert_into(_STAMPS, dialect)
    return statement.on_conflict_do_update(index_elements=["place"], set_={"stamp": statement.excluded.stamp, "at": statement.excluded.at})


@cache
def _marking(dialect: str) -> Executable:
    statement = insert_into(_GONE, dialect)
    return statement.on_conflict_do_update(index_elements=["message"], set_={"at": statement.excluded.at})


@cache
def _leaving(dialect: str) -> Executable:
    return insert_into(_LEFT, dialect).on_conflict_do_nothing()
