"""What a terminal asks of the bot behind it."""

from dataclasses import dataclass

from bot.domain.chat import ConversationKey, binding_targets
from bot.domain.persona import Persona, Personas
from bot.ports.queue import TurnQueue
from bot.ports.store import Store
from bot.prompt.history import END_OF_HISTORY


@dataclass(frozen=True, slots=True)
class ConversationHost:
    """Speaks for one conversation that has a screen of its own."""

    store: Store
    personas: Personas
    queue: TurnQueue
    conversation: ConversationKey

    async def speaker(self) -> str:
        """Return the name of the persona that speaks just now."""
        return (await self._persona()).name

    async def greeting(self) -> str:
        """Return how the persona opens the conversation; empty when it is not new."""
        async with self.store.read() as tx:
            said = await tx.messages.history(self.conversation, before=END_OF_HISTORY, limit=1)
        return "" if said else (await self._persona()).greeting

    async def settled(self) -> None:
        """Return when no turn is under way."""
        await self.queue.idle()

    async def _persona(self) -> Persona:
        async with self.store.read() as tx:
            return self.personas.get(await tx.bindings.find(binding_targets(self.conversation)))
