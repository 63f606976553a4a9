"""What a persona remembers, and the edits that change it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.domain.chat import MemoryScope
from bot.domain.message import Person

MAX_TEXT = 500
"""Characters (code points) that one memory may hold."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One fact. `number` is what people and models call it by, within its scope, and is never handed out again."""

    id: UUID
    scope: MemoryScope
    number: int
    text: str
    subject: Person | None
    """Whom it is about, when that is known."""
    author: Person
    """Who said it."""
    source_message_ids: tuple[int, ...]
    """The stored messages it rests on; empty when an operator wrote it."""
    created_at: datetime
    updated_at: datetime

    @property
    def handle(self) -> str:
        """Return the short form of the id."""
        return self.id.hex[:8]


@dataclass(frozen=True, slots=True)
class Remember:
    """Add a fact under a number that was reserved for it."""

    number: int
    text: str
    subject: Person | None


@dataclass(frozen=True, slots=True)
class Revise:
    """Give a fact a new text."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Take a fact away."""

    number: int


MemoryEdit = Remember | Revise | Forget


@dataclass(frozen=True, slots=True)
class EditOrigin:
    """Who changes memory, why, and on the strength of which messages. Stands in the journal."""

    actor: str
    """`persona:<id>`, `person:<id>`, `operator` or `plugin:<name>`."""
    reason: str
    author: Person
    source_message_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One change of one memory. `before` is empty for a new one, `after` for a forgotten one."""

    memory_id: UUID
    scope: MemoryScope
    number: int
    actor: str
    reason: str
    before: str
    after: str
    source_message_ids: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A memory chosen for a prompt, with the reason. `score` rises with relevance; 0 means it stands there by default."""

    memory: Memory
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Recall:
    """What comes back before an answer. `working` is in number order; `pulled` best first, none of them also in `working`."""

    working: tuple[Memory, ...] = ()
    pulled: tuple[RecalledMemory, ...] = ()
    left_out: int = 0
    """How many memories of the scope are in neither."""
