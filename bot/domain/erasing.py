"""What can be erased, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from bot.domain.chat import Audience, ConversationKey, MemoryScope


@dataclass(frozen=True, slots=True)
class OneMemory:
    """A fact, the words that it was told in, and what repeats it."""

    scope: MemoryScope
    number: int
    asker_id: str = ""
    """Who asks: words of anybody else stay. Empty for an operator, who may have its author's words erased."""


@dataclass(frozen=True, slots=True)
class DeletedMessages:
    """Messages that their platform has deleted, by its ids. The discussions of a place are one place with it."""

    conversation: ConversationKey
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OnePerson:
    """All that a person has said, and all that is kept about them: in one place, in one space, or everywhere on a platform."""

    platform: str
    person_id: str
    conversation: ConversationKey | None = None
    space_id: str = ""


@dataclass(frozen=True, slots=True)
class OneConversation:
    """All that was said in a place, and all that is kept about it. Without a `discussion` in its key those go with it."""

    conversation: ConversationKey


@dataclass(frozen=True, slots=True)
class OneSpace:
    """A server or group with all its places, settings and choices of personas."""

    platform: str
    space_id: str


ErasureTarget = OneMemory | DeletedMessages | OnePerson | OneConversation | OneSpace


def erasures_of(conversation: ConversationKey, person_id: str) -> tuple[OneSpace | OneConversation | OnePerson, ...]:
    """Return all targets by whose erasure what a person said in a conversation goes, single messages aside."""
    platform, places = conversation.platform, dict.fromkeys((conversation, replace(conversation, discussion="")))
    return (
        OneSpace(platform, conversation.space_id),
        *(OneConversation(place) for place in places),
        OnePerson(platform, person_id),
        OnePerson(platform, person_id, space_id=conversation.space_id),
        *(OnePerson(platform, person_id, place) for place in places),
    )


class Kept(StrEnum):
    """What an erasure takes away, as it is counted."""

    MESSAGES = "messages"
    QUOTES = "quotes"
    """In messages that stay."""
    MEMORIES = "memories"
    PENDING = "pending"
    """What waited to be approved."""
    REVISIONS = "revisions"
    """Texts in the journal."""
    CHUNKS = "chunks"
    """Chunk summaries."""
    SUMMARIES = "summaries"
    """Versions of rolling summaries."""
    STRUCTURED = "structured"
    ENTITIES = "entities"
    RELATIONS = "relations"
    DOCUMENTS = "documents"
    """What search finds, words and vectors."""
    UNSENT = "unsent"
    """Replies on their way."""
    RECALLS = "recalls"
    """Notes on what stood in a prompt."""
    JOBS = "jobs"
    """Records of dreams."""
    SETTINGS = "settings"
    """Settings, and choices of personas."""
    USAGE = "usage"
    OTHERS = "others"
    COPIES = "copies"
    """Copies of the database from before an upgrade."""


Counts = Mapping[Kept, int]


def added(*counts: Counts) -> Counts:
    """Return the sums, zeros left out."""
    sums = {kind: sum(each.get(kind, 0) for each in counts) for kind in Kept}
    return {kind: count for kind, count in sums.items() if count}


class ErasureState(StrEnum):
    """How far an erasure has come."""

    BEGUN = "begun"
    """Something of it may still be in the tables."""
    WIPING = "wiping"
    """Gone from the tables; bytes of it may still be in the database's files."""


@dataclass(frozen=True, slots=True)
class ErasedPlace:
    """A conversation in which something is erased, and whose memories may rest on it."""

    conversation: ConversationKey
    audiences: tuple[Audience, ...]
    is_whole: bool = False
    """Everything of it goes."""


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What an erasure has to go through, as it was known when it began."""

    places: tuple[ErasedPlace, ...] = ()
    whole: tuple[Audience, ...] = ()
    """Audiences of which everything goes."""
    in_part: tuple[Audience, ...] = ()
    """Audiences of which only what is about a person goes."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erasure that is not at its end. It survives a stop."""

    id: int
    target: ErasureTarget | None
    """None as soon as the tables hold nothing of it."""
    plan: ErasurePlan
    state: ErasureState
    counts: Counts
    begun_at: datetime


@dataclass(frozen=True, slots=True)
class Departure:
    """That the bot is no longer in a space, and since when."""

    platform: str
    space_id: str
    at: datetime
