"""What was erased and when, as digests that are kept for good: nothing that is brought in from outside revives it."""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import cache
from hashlib import blake2b
from typing import assert_never
from uuid import UUID

from sqlalchemy import Executable, bindparam, case, select

from bot.domain.chat import Audience, ConversationKey
from bot.domain.erasing import (
    DeletedMessages,
    ErasurePlan,
    ErasureTarget,
    OneConversation,
    OneMemory,
    OnePerson,
    OneSpace,
    erasures_of,
)
from bot.domain.message import Quote
from bot.ports.erasing import Erasable
from bot.storage.sql.erasing_lists import in_batches
from bot.storage.sql.erasing_marks import is_erased
from bot.storage.sql.erasing_tables import TombstoneRow
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MessageRow

_DIGEST_BYTES = 16
_STONES, _MESSAGES = table_of(TombstoneRow), table_of(MessageRow)
_OF = select(_STONES.c.what, _STONES.c.at).where(_STONES.c.what.in_(bindparam("wanted", expanding=True)))
_IS_HERE = select(_MESSAGES.c.id).where(_MESSAGES.c.conversation == bindparam("here"), _MESSAGES.c.message_id == bindparam("known"))


async def bury(sql: SqlSession, things: Iterable[Erasable], at: datetime) -> None:
    """Keep that things were erased, for good; of two erasures of one thing the later counts."""
    rows = [{"what": what, "at": at} for what in sorted({_digest(thing) for thing in things if _is_lasting(thing)})]
    if rows:
        await sql.run(_burying(sql.dialect), rows)


async def bury_target(sql: SqlSession, target: ErasureTarget, plan: ErasurePlan, at: datetime) -> None:
    """Keep that a person, a conversation or a space was erased, with the audiences that go with it whole."""
    whole = [OneConversation(place.conversation) for place in plan.places if place.is_whole]
    await bury(sql, [target, *whole, *plan.whole], at)


async def erased_at(sql: SqlSession, things: Collection[Erasable]) -> Mapping[Erasable, datetime]:
    """Return when each of these was erased last; what never was is left out."""
    digests = {thing: _digest(thing) for thing in things if _is_lasting(thing)}
    known: dict[str, datetime] = {}
    for some in in_batches(digests.values()):
        known |= {row.what: row.at for row in await sql.rows(_OF, {"wanted": list(some)})}
    return {thing: known[digest] for thing, digest in digests.items() if digest in known}


async def without_erased(sql: SqlSession, conversation: ConversationKey, quote: Quote | None) -> Quote | None:
    """Return a quote unless its message was erased, or may have been: by somebody who was erased, and no longer here."""
    if quote is None or await is_erased(sql, conversation, quote.message_id):
        return None
    if quote.author.is_bot or await sql.row(_IS_HERE, {"here": str(conversation), "known": quote.message_id}) is not None:
        return quote
    return None if await erased_at(sql, erasures_of(conversation, quote.author.id)) else quote


def _is_lasting(thing: Erasable) -> bool:
    """Say whether a thing has a digest of its own: a memory has one by its id alone, messages have theirs in another table."""
    return not isinstance(thing, OneMemory | DeletedMessages)


def _digest(thing: Erasable) -> str:
    return blake2b(json.dumps(_parts(thing)).encode(), digest_size=_DIGEST_BYTES).hexdigest()


def _parts(thing: Erasable) -> tuple[str, ...]:
    match thing:
        case UUID():
            return ("memory", thing.hex)
        case Audience():
            return ("audience", str(thing))
        case OnePerson(platform, person_id, conversation, space_id):
            return ("person", platform, person_id, str(conversation or ""), space_id)
        case OneConversation(conversation):
            return ("conversation", str(conversation))
        case OneSpace(platform, space_id):
            return ("space", platform, space_id)
        case OneMemory() | DeletedMessages():
            raise ValueError(f"{thing!r} leaves no digest of its own.")
        case _:
            assert_never(thing)


@cache
def _burying(dialect: str) -> Executable:
    statement = insert_into(_STONES, dialect)
    later = case((statement.excluded.at > _STONES.c.at, statement.excluded.at), else_=_STONES.c.at)
    return statement.on_conflict_do_update(index_elements=["what"], set_={"at": later})
