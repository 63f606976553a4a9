"""What writes about pasts, for an operator's work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.app.app import App
from bot.app.build import _world
from bot.app.builtins import OFFLINE
from bot.config import Settings
from bot.conversation.models import Models
from bot.domain.chat import ConversationKey
from bot.domain.persona import Persona, Personas
from bot.memory.past.regenerate import Regeneration
from bot.memory.past.writers import Writers
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.ports.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class PastTools:
    """What it takes to write about a conversation's past."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    personas: Personas
    embedder: Embedder | None
    models: Models
    regeneration: Regeneration

    def model_of(self, persona: Persona) -> ChatModel | None:
        """Return the model that a persona summarises with; None when it has only the offline one."""
        model = self.models.of(persona)
        return None if model.name == OFFLINE else model

    def indexer(self, persona: Persona, conversation: ConversationKey) -> Writers:
        """Return what it takes to make a conversation findable, which asks no model."""
        return Writers(self.store, self.clock, self.tokens, self.embedder, None, persona, conversation)


@asynccontextmanager
async def past_tools(settings: Settings) -> AsyncIterator[PastTools]:
    """Give the tools with the store open; everything is closed at the end."""
    from bot.llm.embedders.choice import make_embedder

    world = _world(settings, ())
    base_url, key = settings.embedding_endpoint
    embedder = make_embedder(settings.embedder, base_url=base_url, api_key=key)
    async with App(world) as app:
        models = Models({model.name: model for model in world.plugins.models}, default=world.models[0])
        regeneration = Regeneration(app.store, world.clock, world.tokens, embedder)
        try:
            yield PastTools(app.store, world.clock, world.tokens, app.personas, embedder, models, regeneration)
        finally:
            if embedder is not None:
                await embedder.close()
