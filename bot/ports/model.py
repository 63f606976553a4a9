"""Language models."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.domain.model import ChatRequest, ModelEvent


class ChatModel(Protocol):
    """A model that answers a prompt in a stream.

    The stream ends with exactly one `Finished`. A connection that breaks or a stream that stops without a finish raises
    `ModelUnavailable`; what had come until then is void. A refusal raises `ModelRefused`; a model that turns out to take no
    tools raises `ToolsUnsupported` before any event; a prompt that is too long raises `ContextOverflow`. Reasoning fields of the
    wire are dropped; reasoning inside the text is not. Images that a model does not take are left out, with a word in their place.
    """

    @property
    def name(self) -> str:
        """What personas and logs call it."""
        ...

    @property
    def takes_tools(self) -> bool:
        """False as soon as it is known that the model takes no tools."""
        ...

    @property
    def takes_images(self) -> bool:
        """False as soon as it is known that the model sees no images."""
        ...

    def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the answer, piece by piece."""
        ...

    async def close(self) -> None:
        """Free its connections."""
        ...


@dataclass(frozen=True, slots=True)
class ModelStanding:
    """How one model of a chain does just now."""

    name: str
    takes_tools: bool
    takes_images: bool
    failures: int = 0
    """In a row, up to now."""
    rests_until: datetime | None = None
    """When it is asked again; None while it is not resting."""


@runtime_checkable
class ModelChain(Protocol):
    """What a model may know beside: those that it is made of. One that is a single model does not have it."""

    def standings(self) -> Sequence[ModelStanding]:
        """Return how its models do, the preferred one first."""
        ...
