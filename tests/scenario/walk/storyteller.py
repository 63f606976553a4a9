"""A model that people see at work."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta


@dataclass(slots=True)
class Storyteller:
    """A ChatModel that stops in the middle of its answer until it may go on."""

    begins: str
    ends: str
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    name: str = "storyteller"
    takes_tools: bool = True
    takes_images: bool = False

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        yield TextDelta(self.begins)
        await self.go_on.wait()
        yield TextDelta(self.ends)
        yield Finished(FinishReason.STOP)

    async def close(self) -> None:
        """Nothing to close."""
