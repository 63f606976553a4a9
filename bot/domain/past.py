"""A conversation's own past: what is found again of it, and what is written about it after the reply."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.chat import ConversationKey
from bot.domain.entity import EntityKind
from bot.domain.message import Person, StoredMessage


class CorpusKind(StrEnum):
    """What is searched together."""

    TURNS = "turns"
    """What was said, a document a message; its id is the message's row."""
    STRUCTURED = "structured"
    """Structured memories; a document's id is theirs."""


@dataclass(frozen=True, slots=True)
class CorpusKey:
    """The documents of one kind of one conversation. Nothing is ever searched across two."""

    conversation: ConversationKey
    kind: CorpusKind = CorpusKind.TURNS


@dataclass(frozen=True, slots=True)
class Document:
    """A text that search can find. Ids rise with time within a corpus."""

    id: int
    text: str
    speaker: Person
    at: datetime
    of_persona: bool = False
    """Whether a persona said it."""


class ChunkState(StrEnum):
    """How far a chunk has come."""

    PLANNED = "planned"
    """Its messages are chosen; the summary is still to be written."""
    DONE = "done"
    PARKED = "parked"
    """Given up after some failures, and told to people; never counted as done."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a conversation with its summary. The chunks of a generation follow each other without gaps or doubles."""

    id: int
    conversation: ConversationKey
    generation: int
    """Rises with every regeneration. One that is being built stands beside the one that is shown."""
    first_row: int
    last_row: int
    """The first and the last message of it."""
    messages: int
    began_at: datetime
    ended_at: datetime
    summary: str = ""
    state: ChunkState = ChunkState.PLANNED
    failures: int = 0
    depth: int = 0
    """0 for a chunk of messages; one that was condensed of others is one deeper than they are."""
    condensed_into: int | None = None
    """The chunk that stands in its place now; this one is kept."""
    is_read: bool = False
    """Whether structured memories have been made of it."""
    read_failures: int = 0


@dataclass(frozen=True, slots=True)
class RollingSummary:
    """What a whole conversation has been about so far, as of a message. Older versions are kept beside the newest."""

    conversation: ConversationKey
    generation: int
    text: str
    through_row: int
    """The last message that it takes in."""
    at: datetime


@dataclass(frozen=True, slots=True)
class StructuredMemory:
    """A searchable memory that a model made of a stretch of conversation."""

    id: int
    conversation: ConversationKey
    generation: int
    title: str
    summary: str
    entities: tuple[str, ...]
    key_phrases: tuple[str, ...]
    first_row: int
    last_row: int
    at: datetime
    """When what it tells of was last talked about."""

    @property
    def text(self) -> str:
        """Return all that it is found by."""
        return "\n".join([self.title, self.summary, *self.entities, *self.key_phrases])


@dataclass(frozen=True, slots=True)
class PastState:
    """How far the background has come with a conversation."""

    generation: int = 0
    """The chunks, summaries and structured memories that are shown."""
    building: int | None = None
    """The generation that a regeneration is filling, until it is complete."""
    building_chunk_tokens: int = 0
    """How large that regeneration's chunks may be; 0 stands for the policy's size."""
    checked_row: int = 0
    """The last message at the last check for chunks."""
    indexed_row: int = 0
    """The last message that search can find."""
    related_row: int = 0
    """The last message that was read for entities and relations."""
    history_floor: int = 0
    """The history of prompts begins after this message: somebody asked for a fresh start."""
    summary_failures: int = 0


@dataclass(frozen=True, slots=True)
class PastTally:
    """What there is of a generation, counted; chunks that were condensed are left out."""

    planned: int = 0
    """Chunks whose summaries are still to be written."""
    done: int = 0
    """Chunks that have theirs."""
    unread: int = 0
    """Those of them, none condensed of others, of which structured memories are still to be made."""
    unsummarised: int = 0
    """Those of them that end after what the rolling summary takes in."""
    has_torn: bool = False
    """One of these was condensed of several."""
    last_row: int = 0
    """The last message that stands in a chunk, whatever its state; 0 when none does."""
    last_structured: int = 0
    """The last id of a structured memory; 0 when there is none."""


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """What is known of a name: its kind, other forms of it, how often and in which sentences it came up, the newest first."""

    name: str
    kind: EntityKind
    mentions: int
    sentences: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    person_id: str = ""
    """The member of the chat who bears the name, when that is known from the platform."""


@dataclass(frozen=True, slots=True)
class Relation:
    """That something holds, or held, between two names: `Alice`, `lives_in`, `Paris`."""

    subject: str
    predicate: str
    object: str
    valid_from: datetime
    source_row: int
    """The message it rests on."""
    evidence: str
    """The sentence of that message."""
    valid_to: datetime | None = None
    """When something newer took its place; None while it holds."""
    ended_by_row: int | None = None
    """The message that ended it."""
    id: int = 0
    subject_person: str = ""
    """The member of the chat who is the subject, when that is known; two members may bear one name."""
    object_person: str = ""
    said_by: str = ""
    """Whose word it is, where that is known and it is not the word of whom it is about. Not stored."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Messages that came back: the one that was found and what belongs to it, oldest first. `score` is 0..1."""

    messages: tuple[StoredMessage, ...]
    found_row: int
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class RecalledStructured:
    """A structured memory that came back. `score` is 0..1."""

    memory: StructuredMemory
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class PastRecall:
    """What comes back of a conversation's past before an answer."""

    summary: str = ""
    """The rolling summary, of what lies before the history."""
    recent: tuple[Chunk, ...] = ()
    """Summaries of what came after it and before the history, oldest first."""
    entities: tuple[EntityFacts, ...] = ()
    """Names in the message that are known."""
    relations: tuple[Relation, ...] = ()
    """What is known of these names, past and present."""
    structured: tuple[RecalledStructured, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    """In the order of time."""
    sections: tuple[tuple[str, str], ...] = ()
    """Names and texts of what further readers have brought."""


@dataclass(frozen=True, slots=True)
class PastBudget:
    """The tokens of a prompt that a conversation's past may fill, beside what is known of names."""

    summaries: int
    """What is summed up."""
    found: int
    """What the message brings back."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Who may do a piece of background work, and until when. It is renewed while the work goes on."""

    name: str
    owner: str
    until: datetime


@dataclass(frozen=True, slots=True)
class PastNote:
    """That a message or a structured memory stood in the prompt of a reply, and why."""

    kind: CorpusKind
    id: int
    reason: str
