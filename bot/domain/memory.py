"""What a persona remembers, and the edits that change it."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from uuid import UUID

from bot.domain.chat import MemoryScope
from bot.domain.message import Person

MAX_TEXT = 500
"""Characters (code points) that one memory may hold."""
MAX_GROUP = 40


class Level(IntEnum):
    """How near a memory is."""

    WORKING = 1
    """Stands in the prompt, as far as the budget goes."""
    DEEP = 2
    """Stands there as a handle only, and comes back when a message or the model asks for it."""
    ARCHIVE = 3
    """Stands nowhere; fades until it is forgotten."""


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
    level: Level = Level.WORKING
    importance: float = 0.75
    """0..1 as it was at `weighed_at`; `decay.faded_importance` tells what is left of it."""
    weighed_at: datetime | None = None
    """When the importance was last set; None stands for the creation."""
    uses: int = 0
    """How often the model marked it as used since the last dream."""
    used_at: datetime | None = None
    """When it was last used, loaded or pulled; None stands for never."""
    pinned: bool = False
    """Never fades, never leaves the prompt."""
    group: str = ""
    """A heading for its handle, such as `family`."""
    ended_at: datetime | None = None
    """When it stopped being true; None while it holds."""

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
    importance: float = 0.75
    group: str = ""


@dataclass(frozen=True, slots=True)
class Revise:
    """Give a fact a new text, which makes it important again."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Take a fact away; `for_good` with all that was ever its text, else so that an undo brings it back."""

    number: int
    for_good: bool = True


@dataclass(frozen=True, slots=True)
class Tag:
    """Mark a fact as used: a little more important, and back in the prompt."""

    number: int


@dataclass(frozen=True, slots=True)
class Load:
    """Bring a fact back into the prompt."""

    number: int


@dataclass(frozen=True, slots=True)
class Pin:
    """Keep a fact in the prompt for good, or let it fade again."""

    number: int
    pinned: bool


@dataclass(frozen=True, slots=True)
class Settle:
    """Put a fact where a pure rule says it belongs. What is None stays as it is; uses are set back to 0 by `reinforced`."""

    number: int
    level: Level
    importance: float | None = None
    reinforced: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """Say when a fact stopped being true. It leaves the prompt and is kept."""

    number: int


MemoryEdit = Remember | Revise | Forget | Tag | Load | Pin | Settle | End


@dataclass(frozen=True, slots=True)
class EditOrigin:
    """Who changes memory, why, and on the strength of which messages. Stands in the journal."""

    actor: str
    """`persona:<id>`, `person:<id>`, `operator`, `dream` or `plugin:<name>`."""
    reason: str
    author: Person
    source_message_ids: tuple[int, ...] = ()
    run: str = ""
    """What belongs together and can be undone together, such as a dream's id."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One change of one memory. `before` is None for a new one, `after` for a forgotten one.

    What people forget leaves both None, in older entries too: the text is nowhere then.
    """

    memory_id: UUID
    scope: MemoryScope
    number: int
    actor: str
    reason: str
    before: Memory | None
    after: Memory | None
    source_message_ids: tuple[int, ...]
    at: datetime
    run: str = ""


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A memory chosen for a prompt, with the reason. `score` rises with relevance; 0 means it stands there by default."""

    memory: Memory
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class RecallNote:
    """That a memory stood in the prompt of a reply, why, and whether the model said it was used."""

    number: int
    reason: str
    used: bool = False


@dataclass(frozen=True, slots=True)
class HandleGroup:
    """Deep memories that are shown as one line: the group's name, how many there are, and the handles of a few."""

    name: str
    count: int
    handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """The working block of a scope as it was last laid down; it stays so, and the prompt's beginning with it, until the next one."""

    working: tuple[int, ...]
    """Numbers, rising."""
    left_out: tuple[int, ...] = ()
    """Numbers of working memories for which there was no room."""
    handles: tuple[int, ...] = ()
    """Numbers of deep memories shown one a line, the most important first."""
    groups: tuple[HandleGroup, ...] = ()
    """What is shown instead of single handles when there are too many."""


@dataclass(frozen=True, slots=True)
class Recall:
    """What comes back before an answer."""

    working: tuple[Memory, ...] = ()
    """The frozen block, in number order."""
    handles: tuple[Memory, ...] = ()
    groups: tuple[HandleGroup, ...] = ()
    fresh: tuple[RecalledMemory, ...] = ()
    """What was added or came back since the block was laid down, in number order; none of them stands in it."""
    left_out: int = 0
    """How many memories of the scope, archived ones aside, stand nowhere with their text."""
