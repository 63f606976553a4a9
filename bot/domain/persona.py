"""Who the bot is in a conversation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from bot.domain.lore import NO_LORE, Lorebook
from bot.domain.message import Person
from bot.domain.steps import Steps


class MemoryMode(StrEnum):
    """How the model edits memory."""

    AUTOMATIC = "automatic"
    """By tools where the model can, else by tags."""
    TOOLS = "tools"
    TAGS = "tags"


class Timestamps(StrEnum):
    """When a message was sent, as the model sees it; people never do."""

    NONE = "none"
    ABSOLUTE = "absolute"
    RELATIVE = "relative"


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """How a persona remembers. Importances are 0..1, budgets are tokens of the prompt."""

    enabled: bool = True
    mode: MemoryMode = MemoryMode.AUTOMATIC
    working_tokens: int = 1024
    """What working memories may fill."""
    handle_tokens: int = 256
    """What the handles of deep memories may fill."""
    max_working: int = 40
    """More than these, and the least important become deep."""
    max_handles: int = 30
    """More deep memories than these are shown as groups."""
    new_importance: float = 0.75
    tag_boost: float = 0.10
    """What a memory gains when the model marks it as used."""
    update_boost: float = 0.25
    """What it gains when its text is revised."""
    load_margin: float = 0.10
    """How far above `demote_below` a memory is put that comes back."""
    decay_per_day: float = 0.02
    demote_below: float = 0.25
    archive_below: float = 0.05
    forget_below: float = 0.02
    """An archived memory weaker than this is forgotten by the next dream."""
    reinforce: float = 0.05
    """A dream adds this times ln(1 + uses)."""
    pull: bool = True
    """Deep memories come back when a message shares their words."""
    max_pulled: int = 3
    """A message."""
    dream: bool = True
    dream_hours: float = 1.0
    """The least time between two dreams."""
    history_messages: int = 100
    """Messages of the history that a prompt holds at most."""
    history_tokens: int = 0
    """Tokens that they may fill; 0 stands for what the model's window leaves."""
    history_hours: float = 0.0
    """After a silence of so many hours the history begins anew; 0 stands for never."""
    timestamps: Timestamps = Timestamps.NONE
    past: bool = True
    """What was said before the history is summarised and comes back when it is asked for."""
    chunk_messages: int = 20
    """So many messages, or so many tokens, make a chunk that gets a summary."""
    chunk_tokens: int = 1500
    chunk_lookback: int = 5
    """The last messages, which no chunk takes in yet."""
    summary_after: int = 3
    """New chunk summaries, from which on the rolling summary is written anew."""
    summary_batch: int = 3
    """Chunk summaries that it takes in at once."""
    condense: int = 10
    """The oldest so many chunk summaries are made one; 0 stands for never."""
    condense_buffer: int = 20
    """Chunk summaries beyond these that stay as they are."""
    past_tokens: int = 768
    """What comes back of the past may fill."""
    max_excerpts: int = 5
    """Places of the past that come back for a message."""
    entity_tokens: int = 192
    """What is known of names in the message may fill."""
    memories_a_day: int = 50
    """Memories that one person may tell in a day; 0 stands for as many as they like."""
    preset: str = "default"
    """The key of PRESETS that the other values come from, as far as nobody has set them."""


SEED = MemoryPolicy(preset="seed", working_tokens=512, decay_per_day=0.05, demote_below=0.40, archive_below=0.10)
"""The preset `seed`: a small prompt, and memories that fade fast."""
PRESETS = {"default": MemoryPolicy(), "seed": SEED}


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What a persona asks of its model; None leaves it to the server's settings."""

    name: str = ""
    temperature: float | None = None
    max_reply_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class Example:
    """A short exchange that shows how the persona talks."""

    user: str
    reply: str


@dataclass(frozen=True, slots=True)
class Persona:
    """A character with a voice and a memory policy; `id` is the name of its file."""

    id: str
    name: str
    voice: str
    greeting: str
    summary: str = ""
    """One line for lists."""
    language: str = "en"
    """BCP 47, `en` or `ja-JP`: the language of its own notices."""
    time_zone: str = "UTC"
    """An IANA zone: the times it shows."""
    examples: tuple[Example, ...] = ()
    model: ModelChoice = field(default_factory=ModelChoice)
    memory: MemoryPolicy = field(default_factory=MemoryPolicy)
    steps: Steps = field(default_factory=Steps)
    tools: tuple[str, ...] = ()
    """Names of further tools it may use; memory's own tool is not named."""
    triggers: tuple[str, ...] = ()
    """Words that address it in a group without a mention."""
    greetings: tuple[str, ...] = ()
    """Further greetings to choose from."""
    instructions: str = ""
    """What its author tells the model before the voice."""
    reminder: str = ""
    """What its author tells the model again after the history."""
    lore: Lorebook = NO_LORE
    card: str = ""
    """The character card it was imported from, as JSON, so that an export gives back what has no place here; empty for none."""

    @property
    def zone(self) -> ZoneInfo:
        """Return its time zone. Raises ZoneInfoNotFoundError for a name that is none."""
        return ZoneInfo(self.time_zone)


@dataclass(frozen=True, slots=True)
class PersonaVersion:
    """One state of a persona that a space has made its own: a changed one of the installation, or a new one."""

    number: int
    """1 first, a space and persona."""
    persona: Persona | None
    """None where it was taken back to the installation's own, or away."""
    by: Person
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Avatar:
    """A picture of a persona."""

    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Personas:
    """All personas of this installation."""

    by_id: Mapping[str, Persona]
    default_id: str

    def get(self, persona_id: str | None) -> Persona:
        """Return the persona of that id, or the default one when it is unknown or None."""
        return self.by_id.get(persona_id or self.default_id) or self.by_id[self.default_id]
