"""Every error that some code catches.

BotError
├── ConfigError            a setting is missing or wrong
├── PersonaError           a persona file has a mistake, with its file and line
├── CardRefused            a character card or persona pack is broken, too big or hostile: nothing of it is taken
├── StoreError             the database cannot serve
│   ├── StoreDamaged       its file is not a sound database; nothing was changed
│   └── SchemaMismatch     its schema is newer or older than this program
├── Overtaken              something that this work had read was erased meanwhile: nothing of it is stored
├── ModelError             the model gave no usable answer
│   ├── ModelUnavailable   an outage, a rate limit or a cut stream: another try may work
│   ├── ModelRefused       the endpoint refuses this request or key: another try will not
│   ├── ContextOverflow    the prompt is too long for this model: a shorter one may fit
│   ├── AnswerFiltered     a filter at the endpoint kept the answer back
│   └── ToolsUnsupported   this model takes no tools: ask again without them
├── EmbedderUnavailable    no vectors: search goes on with words
├── TokensSpent            a budget is used up: what is done in the background waits
├── ToolError              a tool call did not work
│   ├── ToolRetry          the model can mend its call; the text says how
│   └── ToolFailed         it cannot; the text says why
└── PlatformError          a chat platform did not take something
    ├── LoginRefused       the token is wrong or lacks a right
    ├── DeliveryDelayed    wait `retry_after` seconds and send again
    ├── DeliveryRefused    this message can never be delivered
    └── FileUnavailable    a file of the platform cannot be had, or is too large
"""

from datetime import datetime
from enum import StrEnum


class BotError(Exception):
    """The root of all errors that Baku raises on purpose; the text says what to do."""


class ConfigError(BotError):
    """A setting is missing or wrong."""


class PersonaError(BotError):
    """A persona file has a mistake."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem


class CardRefused(BotError):
    """A character card or persona pack cannot be taken; the text says why and what to do. Nothing of it was."""


class StoreError(BotError):
    """The database cannot serve."""


class StoreDamaged(StoreError):
    """The database file is not sound; it was kept as it is."""


class SchemaMismatch(StoreError):
    """The database has another schema than this program."""


class Overtaken(BotError):
    """Something that this work had read was erased meanwhile; nothing of it is stored."""


class ModelTrouble(StrEnum):
    """What is the matter with a model, as far as it matters to whoever waits for it."""

    OUT = "out"
    """It failed or cannot be reached."""
    SLOW = "slow"
    """It took too long."""
    BUSY = "busy"
    """It may not be asked that often."""
    REQUEST = "request"
    """It does not take this request."""
    KEY = "key"
    RIGHTS = "rights"
    """The key may not use it."""
    CREDIT = "credit"
    MISSING = "missing"
    """There is no such model, or no chat API at that address."""


class ModelError(BotError):
    """The model gave no usable answer."""

    trouble = ModelTrouble.REQUEST


class ModelUnavailable(ModelError):
    """The endpoint is out, overloaded or cut the stream: another try may work."""

    def __init__(self, problem: str, trouble: ModelTrouble = ModelTrouble.OUT, *, retry_after: float = 0.0) -> None:
        super().__init__(problem)
        self.trouble = trouble
        self.retry_after = retry_after
        """Seconds that the endpoint asks to wait; 0 where it does not say."""


class ModelRefused(ModelError):
    """The endpoint refuses this request or key: the same try will not work."""

    def __init__(self, problem: str, trouble: ModelTrouble = ModelTrouble.REQUEST) -> None:
        super().__init__(problem)
        self.trouble = trouble


class ContextOverflow(ModelError):
    """The prompt is too long for the model; a shorter one may fit."""

    def __init__(self, problem: str, *, limit: int = 0, asked: int = 0) -> None:
        super().__init__(problem)
        self.limit = limit
        """Tokens that the model takes, its answer included; 0 where the endpoint does not say."""
        self.asked = asked
        """Tokens that the endpoint counted of the prompt; 0 where it does not say."""


class AnswerFiltered(ModelError):
    """A filter at the endpoint kept the answer back."""


class ToolsUnsupported(ModelError):
    """The model takes no tools; ask again without them."""


class EmbedderUnavailable(BotError):
    """The embedder gives no vectors now; search goes on with words."""


class TokensSpent(BotError):
    """A budget is used up; what is done in the background waits."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"The tokens for this are used up until {until:%Y-%m-%d %H:%M} UTC. It is done when there are some again.")
        self.until = until
        """When there are tokens again."""


class ToolError(BotError):
    """A tool call did not work; the text goes to the model."""


class ToolRetry(ToolError):
    """The model can mend its call."""


class ToolFailed(ToolError):
    """No other call would work."""


class PlatformError(BotError):
    """A chat platform did not take something."""


class LoginRefused(PlatformError):
    """The token is wrong or lacks a right."""


class DeliveryDelayed(PlatformError):
    """The platform asks to wait, or could not be reached just now."""

    def __init__(self, problem: str, *, retry_after: float, everywhere: bool = False) -> None:
        super().__init__(problem)
        self.retry_after = retry_after
        """Seconds."""
        self.everywhere = everywhere
        """Whether nothing else would leave for the platform either."""


class DeliveryRefused(PlatformError):
    """The platform will never take this message."""


class FileUnavailable(PlatformError):
    """A file of the platform cannot be had, or is larger than what was asked for; the text says why."""
