"""Taking things out of every table, so that nothing brings them back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from bot.domain.chat import Audience, ConversationKey, MemoryScope
from bot.domain.erasing import Counts, Departure, Erasure, ErasurePlan, ErasureTarget
from bot.domain.memory import Memory
from bot.domain.message import StoredMessage


@dataclass(frozen=True, slots=True)
class Taken:
    """What went with messages. The structured memories are still in the corpora of their conversations."""

    counts: Counts
    structured: Mapping[ConversationKey, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Resting:
    """A memory that rests on messages, itself or by a line in its journal."""

    scope: MemoryScope
    id: UUID
    number: int
    memory: Memory | None
    """None when only its journal is left."""
    rows: frozenset[int]
    """All messages that it ever rested on."""
    texts: tuple[str, ...]
    """All that it ever said."""
    before: tuple[str, ...]
    """What it said before lines of the journal that rest on the messages in question."""


Erasable = ErasureTarget | Audience | UUID
"""What may have been erased for good; an UUID is a memory's."""


class Erasures(Protocol):
    """What erasing needs of the tables. Nothing else deletes what people said."""

    async def begin(self, target: ErasureTarget, plan: ErasurePlan, at: datetime) -> Erasure:
        """Keep that this is to be erased, leave its messages out of all histories from now on, and remember for good that it was erased."""
        ...

    async def keep(self, erasure: Erasure) -> None:
        """Keep how far it has come."""
        ...

    async def end(self, erasure_id: int) -> None:
        """Let go of an erasure that is done."""
        ...

    async def unfinished(self) -> Sequence[Erasure]:
        """Return the erasures that are not done, the oldest first."""
        ...

    async def hold(self, places: Collection[str]) -> Sequence[int]:
        """Return a stamp for each conversation or audience, in the order of their texts, 0 for none.

        No other writer that holds one of them goes on before the end of this transaction. A reader holds nothing.
        """
        ...

    async def stamp(self, places: Collection[str], at: datetime) -> None:
        """Give conversations and audiences a new stamp: work that began under the old one must not be stored."""
        ...

    async def conversations(self, target: ErasureTarget) -> Sequence[ConversationKey]:
        """Return where something of the target may be."""
        ...

    async def people_in_direct(self, conversation: ConversationKey) -> Sequence[str]:
        """Return who has written in a direct chat with the bot; nobody in a group."""
        ...

    async def said(
        self, conversation: ConversationKey, *, person_id: str = "", message_ids: Collection[str] = (), limit: int
    ) -> Sequence[StoredMessage]:
        """Return the first messages of a conversation, FAILED ones too: those of a person, those of these ids, else all."""
        ...

    async def answers(self, conversation: ConversationKey, message_ids: Collection[str]) -> Sequence[StoredMessage]:
        """Return unsent replies that answer these messages."""
        ...

    async def take_messages(
        self,
        conversation: ConversationKey,
        messages: Sequence[StoredMessage],
        *,
        audiences: Collection[Audience] | None = None,
        person_id: str = "",
        at: datetime,
    ) -> Taken:
        """Delete messages with all that quotes them, was written about them or taken from them, memories and corpora left out.

        What waits to be approved is looked for in the audiences; everywhere, which takes long, where none are given.

        Summaries of stretches in which something stays are to be written anew. With a person, what quotes that person goes, too. A
        message that is gone is not recorded again, ever.
        """
        ...

    async def expect_none(self, conversation: ConversationKey, message_ids: Collection[str], at: datetime) -> None:
        """Let messages of these ids, known or not, not be recorded any more."""
        ...

    async def bury(self, memory_id: UUID, at: datetime) -> None:
        """Keep for good that the memory of that id was erased. Whatever else this port takes away it keeps by itself."""
        ...

    async def erased_at(self, things: Collection[Erasable]) -> Mapping[Erasable, datetime]:
        """Return when each of these was erased last; what never was is left out. Single messages are asked for below."""
        ...

    async def erased_messages(self, conversation: ConversationKey, message_ids: Collection[str]) -> frozenset[str]:
        """Return those of the platform's ids in a conversation that are not to be recorded."""
        ...

    async def known_ids(self, memory_ids: Collection[UUID]) -> frozenset[UUID]:
        """Return those of the ids that a memory bears, in whatever scope: that it is there is all that this says."""
        ...

    async def resting(self, audience: Audience, rows: Collection[int]) -> Sequence[Resting]:
        """Return the memories of an audience, of all personas, that rest or rested on one of these messages."""
        ...

    async def of_person(self, audience: Audience, person_id: str, *, limit: int) -> Sequence[Memory]:
        """Return memories of an audience, of all personas, whose subject or author is that person."""
        ...

    async def take_memory(self, scope: MemoryScope, number: int, memory_id: UUID, at: datetime) -> Counts:
        """Delete a memory and its journal; a line without texts says that it was erased."""
        ...

    async def trim(self, resting: Resting, rows: Collection[int]) -> Counts:
        """Let a memory that stays no longer rest on these messages, and its journal hold no text but the present one."""
        ...

    async def take_structured(self, conversation: ConversationKey, ids: Collection[int]) -> int:
        """Delete structured memories of a conversation, whose documents the caller takes out of search; return how many there were."""
        ...

    async def take_person(self, audience: Audience, person_id: str, names: Collection[str]) -> Taken:
        """Delete what is known of a person in an audience: as an entity, in relations, in structured memories that name them."""
        ...

    async def names_of(self, conversation: ConversationKey, person_id: str) -> Sequence[str]:
        """Return the names that a person has borne in a conversation."""
        ...

    async def take_audience(self, audience: Audience) -> Counts:
        """Delete all that was remembered, learned and noted about an audience."""
        ...

    async def take_conversation(self, conversation: ConversationKey) -> Counts:
        """Delete what is left of a conversation without messages, in every table."""
        ...

    async def take_space(self, platform: str, space_id: str) -> Counts:
        """Delete the settings of a space, its choices of personas, and that the bot has left it."""
        ...

    async def left(self, platform: str, space_id: str, at: datetime) -> None:
        """Note that the bot is no longer in a space; the first time counts."""
        ...

    async def joined(self, platform: str, space_id: str) -> None:
        """Note that the bot is in a space."""
        ...

    async def departures(self) -> Sequence[Departure]:
        """Return the spaces that the bot has left, the longest ago first."""
        ...
