"""Taking things out of every table."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from bot.domain.chat import Audience, AudienceKind, ConversationKey, MemoryScope, parse_key
from bot.domain.erasing import (
    Counts,
    DeletedMessages,
    Departure,
    Erasure,
    ErasurePlan,
    ErasureTarget,
    OnePerson,
    added,
)
from bot.domain.memory import Memory
from bot.domain.message import StoredMessage
from bot.ports.erasing import Erasable, Resting, Taken
from bot.storage.sql import erasing_marks as marks
from bot.storage.sql import erasing_memories as memories
from bot.storage.sql import erasing_messages as messages
from bot.storage.sql import erasing_names as names
from bot.storage.sql import erasing_places as places
from bot.storage.sql.erasing_past import take_naming, take_structured
from bot.storage.sql.erasing_pending import take_pending_of_person, take_pending_resting_on
from bot.storage.sql.erasing_personas import blank_author
from bot.storage.sql.erasing_tombstones import bury, bury_target, erased_at
from bot.storage.sql.session import SqlSession


class SqlErasures:
    """Fulfils `bot.ports.erasing.Erasures`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def begin(self, target: ErasureTarget, plan: ErasurePlan, at: datetime) -> Erasure:
        """Keep that this is to be erased, and hide it."""
        for place in plan.places:
            if place.is_whole:
                await messages.hide(self._sql, place.conversation)
            elif isinstance(target, DeletedMessages):
                await messages.hide(self._sql, place.conversation, message_ids=target.message_ids)
            elif isinstance(target, OnePerson):
                await messages.hide(self._sql, place.conversation, person_id=target.person_id)
        if isinstance(target, OnePerson):
            await blank_author(self._sql, target)
        await bury_target(self._sql, target, plan, at)
        return await marks.begin_order(self._sql, target, plan, at)

    async def keep(self, erasure: Erasure) -> None:
        """Keep how far it has come."""
        await marks.keep_order(self._sql, erasure)

    async def end(self, erasure_id: int) -> None:
        """Let go of it."""
        await marks.end_order(self._sql, erasure_id)

    async def unfinished(self) -> Sequence[Erasure]:
        """Return those that are not done."""
        return await marks.open_orders(self._sql)

    async def hold(self, places: Collection[str]) -> Sequence[int]:
        """Hold places and return their stamps."""
        return await marks.held_stamps(self._sql, places)

    async def stamp(self, places: Collection[str], at: datetime) -> None:
        """Give places new stamps."""
        await marks.new_stamps(self._sql, places, at)

    async def conversations(self, target: ErasureTarget) -> Sequence[ConversationKey]:
        """Return where something of it may be."""
        return await places.conversations_of(self._sql, target)

    async def people_in_direct(self, conversation: ConversationKey) -> Sequence[str]:
        """Return who has written in a direct chat."""
        return await places.people_in_direct(self._sql, conversation)

    async def said(
        self, conversation: ConversationKey, *, person_id: str = "", message_ids: Collection[str] = (), limit: int
    ) -> Sequence[StoredMessage]:
        """Return messages that are meant."""
        return await messages.said_there(self._sql, conversation, person_id=person_id, message_ids=message_ids, limit=limit)

    async def answers(self, conversation: ConversationKey, message_ids: Collection[str]) -> Sequence[StoredMessage]:
        """Return unsent replies to messages."""
        return await messages.unsent_answers(self._sql, conversation, message_ids)

    async def take_messages(
        self,
        conversation: ConversationKey,
        said: Sequence[StoredMessage],
        *,
        audiences: Collection[Audience] | None = None,
        person_id: str = "",
        at: datetime,
    ) -> Taken:
        """Delete messages and what hangs on them."""
        taken = await messages.take(self._sql, conversation, said, person_id=person_id, at=at)
        waiting = await take_pending_resting_on(self._sql, [message.id for message in said], audiences)
        return replace(taken, counts=added(taken.counts, waiting))

    async def expect_none(self, conversation: ConversationKey, message_ids: Collection[str], at: datetime) -> None:
        """Let messages not be recorded."""
        await marks.expect_no_message(self._sql, conversation, message_ids, at)

    async def bury(self, memory_id: UUID, at: datetime) -> None:
        """Keep that a memory was erased."""
        await bury(self._sql, [memory_id], at)

    async def erased_at(self, things: Collection[Erasable]) -> Mapping[Erasable, datetime]:
        """Return when each was erased last."""
        return await erased_at(self._sql, things)

    async def erased_messages(self, conversation: ConversationKey, message_ids: Collection[str]) -> frozenset[str]:
        """Return those whose messages were erased."""
        return await marks.erased_messages(self._sql, conversation, message_ids)

    async def known_ids(self, memory_ids: Collection[UUID]) -> frozenset[UUID]:
        """Return those that some memory bears."""
        return await memories.known_ids(self._sql, memory_ids)

    async def resting(self, audience: Audience, rows: Collection[int]) -> Sequence[Resting]:
        """Return memories that rest on messages."""
        return await memories.resting_on(self._sql, audience, rows)

    async def of_person(self, audience: Audience, person_id: str, *, limit: int) -> Sequence[Memory]:
        """Return memories of a person."""
        return await memories.memories_of_person(self._sql, audience, person_id, limit)

    async def take_memory(self, scope: MemoryScope, number: int, memory_id: UUID, at: datetime) -> Counts:
        """Delete a memory and its journal."""
        return await memories.take_memory(self._sql, scope, number, memory_id, at)

    async def trim(self, resting: Resting, rows: Collection[int]) -> Counts:
        """Let a memory that stays rest on less."""
        return await memories.trim_memory(self._sql, resting, rows)

    async def take_structured(self, conversation: ConversationKey, ids: Collection[int]) -> int:
        """Delete structured memories."""
        return await take_structured(self._sql, str(conversation), ids)

    async def take_person(self, audience: Audience, person_id: str, borne: Collection[str]) -> Taken:
        """Delete what is known of a person."""
        known = await names.names_of_person(self._sql, audience, person_id)
        waiting = await take_pending_of_person(self._sql, audience, person_id)
        counts = added(await names.take_person_names(self._sql, audience, person_id), waiting)
        if audience.kind is not AudienceKind.CONVERSATION:
            return Taken(counts, {})
        named = await take_naming(self._sql, audience.id, {*borne, *known})
        return Taken(added(counts, named.counts), {parse_key(audience.id): named.structured})

    async def names_of(self, conversation: ConversationKey, person_id: str) -> Sequence[str]:
        """Return the names a person has borne."""
        return await places.names_there(self._sql, conversation, person_id)

    async def take_audience(self, audience: Audience) -> Counts:
        """Delete all of an audience."""
        return await places.take_audience(self._sql, audience)

    async def take_conversation(self, conversation: ConversationKey) -> Counts:
        """Delete what is left of a conversation."""
        return await places.take_conversation(self._sql, conversation)

    async def take_space(self, platform: str, space_id: str) -> Counts:
        """Delete what is kept of a space."""
        return await places.take_space(self._sql, platform, space_id)

    async def left(self, platform: str, space_id: str, at: datetime) -> None:
        """Note that the bot has left."""
        await marks.note_departure(self._sql, platform, space_id, at)

    async def joined(self, platform: str, space_id: str) -> None:
        """Note that the bot is there."""
        await marks.drop_departure(self._sql, platform, space_id)

    async def departures(self) -> Sequence[Departure]:
        """Return the spaces that the bot has left."""
        return await marks.all_departures(self._sql)
