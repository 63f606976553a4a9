"""Readers that write first: what is due of chunks and rolling summary is written before it is read, as far as the time allows."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from bot.domain.chat import ConversationKey
from bot.domain.persona import Persona
from bot.errors import ModelError, Overtaken
from bot.memory.erasing.guard import guarded
from bot.memory.past.chunks import write_chunks
from bot.memory.past.lease import HeldLease
from bot.memory.past.rolling import write_summary
from bot.memory.past.writers import Writers, wanted
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.ports.tokens import TokenCounter

PATIENCE = 30.0
"""Seconds that an answer waits for what is written first."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class UpdateFirst:
    """Writes what a persona's readers ask to be written before they read."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    embedder: Embedder | None
    model_of: Callable[[Persona], ChatModel | None]
    patience: float = PATIENCE

    async def __call__(self, persona: Persona, conversation: ConversationKey) -> None:
        """Write what is due; nothing while somebody else does, and never longer than the time allows. A model that fails stops nothing."""
        steps = wanted(persona.steps.readers)
        model = self.model_of(persona) if steps.chunks or steps.summary else None
        if model is None:
            return
        store = await guarded(self.store, [conversation])
        writers = Writers(store, self.clock, self.tokens, self.embedder, model, persona, conversation, seconds=self.patience)
        try:
            async with asyncio.timeout(self.patience):
                await HeldLease(self.store).hold(conversation, lambda: _write(writers, summary=steps.summary))
        except* (ModelError, Overtaken, TimeoutError) as problems:
            log.warning("not_updated_first", platform=conversation.platform, problem=type(problems.exceptions[0]).__name__)


async def _write(writers: Writers, *, summary: bool) -> None:
    await write_chunks(writers)
    if summary:
        await write_summary(writers)
