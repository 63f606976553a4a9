"""What goes to a language model and what comes back."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain.message import Role
from bot.domain.tool import ToolCall, ToolSpec


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as it came from its platform; `media_type` is such as `image/png`."""

    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt. `tool_calls` belong to the assistant, `tool_call_id` to a tool's result, `images` to the user."""

    role: Role
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """All that one generation needs. An empty `model` means the endpoint's configured one."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    model: str = ""
    temperature: float | None = None
    max_reply_tokens: int = 1024

    @property
    def text(self) -> str:
        """Return the whole prompt as one text, for counting and for tests."""
        return "\n\n".join(message.text for message in self.messages)


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """A piece of a tool call. Endpoints send id and name once, arguments in pieces; some leave `index` out or reuse it."""

    index: int | None
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that the endpoint counted."""

    model: str
    prompt_tokens: int
    reply_tokens: int
    cached_tokens: int = 0


class FinishReason(StrEnum):
    """Why a stream ended."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    FILTERED = "content_filter"


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is complete; a stream without this event was cut off."""

    reason: FinishReason


ModelEvent = TextDelta | ToolCallDelta | Usage | Finished
