"""What a terminal asks of the bot behind it."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import ReplyTarget, Role
from bot.domain.persona import Persona, Personas
from bot.memory.speaker import speaker
from bot.ports.clock import Clock
from bot.ports.queue import TurnQueue
from bot.ports.store import Store
from bot.prompt.character import shown_greeting
from bot.prompt.history import HISTORY_LIMIT


@dataclass(frozen=True, slots=True)
class ConversationHost:
    """Speaks for one conversation that has a screen of its own."""

    store: Store
    personas: Personas
    clock: Clock
    queue: TurnQueue
    conversation: ConversationKey

    async def speaker(self) -> str:
        """Return the name of the persona that speaks just now."""
        return (await self._persona()).name

    async def chosen(self) -> str:
        """Return the name of the persona that speaks where it was chosen instead of the default one; else nothing."""
        persona = await self._persona()
        return "" if persona.id == self.personas.default_id else persona.name

    async def greeting(self) -> str:
        """Return how the persona opens the conversation; empty when somebody has written in it."""
        async with self.store.read() as tx:
            said = await tx.messages.history(self.conversation, limit=HISTORY_LIMIT)
        return "" if any(line.role is Role.USER for line in said) else shown_greeting(await self._persona())

    async def record_greeting(self, greeting: str, at: datetime) -> None:
        """Keep what the persona has just opened with as its line, once, so that it knows what it said."""
        persona = await self._persona()
        async with self.store.write() as tx:
            last = await tx.messages.history(self.conversation, limit=1)
            if [(line.persona_id, line.text) for line in last] != [(persona.id, greeting)]:
                target = ReplyTarget(self.conversation, ConversationKind.DIRECT)
                await tx.messages.record_reply(target, persona.id, persona.name, greeting, at=at)

    async def settled(self) -> None:
        """Return when no turn is under way."""
        await self.queue.idle()

    async def _persona(self) -> Persona:
        async with self.store.read() as tx:
            return await speaker(tx, self.personas, self.conversation, at=self.clock.now())
