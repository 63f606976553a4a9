"""A model whose answers are counted."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from bot.domain.model import ChatRequest, ModelEvent, Usage
from bot.errors import ModelError
from bot.ports.metrics import Metrics
from bot.ports.model import ChatModel


@dataclass(frozen=True, slots=True)
class MeasuredModel:
    """Fulfils `bot.ports.model.ChatModel` by another one, whatever it is asked for: answers, summaries or dreams."""

    model: ChatModel
    metrics: Metrics

    @property
    def name(self) -> str:
        """Return what personas and logs call it."""
        return self.model.name

    @property
    def takes_tools(self) -> bool:
        """Say whether it takes tools, as far as is known."""
        return self.model.takes_tools

    @property
    def takes_images(self) -> bool:
        """Say whether it sees images, as far as is known."""
        return self.model.takes_images

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the answer, piece by piece. Time that whoever reads it takes between two pieces counts too."""
        loop, asked = asyncio.get_running_loop(), request.model or self.name
        begun = loop.time()
        try:
            async for event in self.model.stream(request):
                if isinstance(event, Usage):
                    asked = event.model
                    self.metrics.tokens_used(event)
                yield event
        except ModelError as problem:
            self.metrics.model_failed(asked, problem.trouble)
            raise
        self.metrics.model_answered(asked, loop.time() - begun)

    async def close(self) -> None:
        """Free its connections."""
        await self.model.close()
