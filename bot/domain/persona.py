"""Who the bot is in a conversation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class MemoryMode(StrEnum):
    """How the model edits memory."""

    AUTOMATIC = "automatic"
    """By tools where the model can, else by tags."""
    TOOLS = "tools"
    TAGS = "tags"


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """How a persona remembers."""

    enabled: bool = True
    mode: MemoryMode = MemoryMode.AUTOMATIC
    working_tokens: int = 1024
    """How many tokens of the prompt its memories may fill."""


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
    tools: tuple[str, ...] = ()
    """Names of further tools it may use; memory's own tool is not named."""
    triggers: tuple[str, ...] = ()
    """Words that address it in a group without a mention."""


@dataclass(frozen=True, slots=True)
class Personas:
    """All personas of this installation."""

    by_id: Mapping[str, Persona]
    default_id: str

    def get(self, persona_id: str | None) -> Persona:
        """Return the persona of that id, or the default one when it is unknown or None."""
        return self.by_id.get(persona_id or self.default_id) or self.by_id[self.default_id]
