"""Taking a conversation's turns: one at a time, bursts joined, what a crash left first."""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bot.conversation.deliver import Delivery
from bot.conversation.pipeline import Pipeline
from bot.domain.chat import ConversationKey, ConversationKind, MemoryScope, audience_of, binding_targets
from bot.domain.message import MessageState, StoredMessage
from bot.domain.persona import Personas
from bot.domain.turn import Turn
from bot.ports.clock import Clock
from bot.ports.queue import TurnQueue
from bot.ports.store import Store
from bot.prompt.history import END_OF_HISTORY

MAX_ATTEMPTS = 3
LONGEST_BURST = 5
"""A burst is waited out for this many windows at most."""
MOST_JOINED = 20
"""Messages that one answer may cover."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Takes turns from the store, which alone knows what waits."""

    store: Store
    clock: Clock
    personas: Personas
    pipeline: Pipeline
    delivery: Delivery
    queue: TurnQueue
    burst_seconds: float
    """How long a group must be quiet before its messages are answered together."""

    async def take_turns(self, conversation: ConversationKey) -> None:
        """Answer all that waits in a conversation and send the answers. Exactly one runs for a conversation at a time."""
        await self.delivery.deliver(conversation)
        while waiting := await self._waiting(conversation):
            if waiting[0].kind is ConversationKind.GROUP:
                waiting = await self._burst(conversation, waiting)
            waiting = waiting[:MOST_JOINED]
            turn = await self._turn(conversation, waiting)
            if waiting[0].attempts < MAX_ATTEMPTS:
                await self._count_attempt(waiting)
                await self.pipeline.take(turn)
            else:
                log.error("turn_given_up", platform=conversation.platform, messages=len(waiting))
                await self.pipeline.give_up(turn)
            await self.delivery.deliver(conversation)

    async def recover(self) -> None:
        """Ring for every conversation in which a stopped process left something to do."""
        async with self.store.read() as tx:
            left = [*await tx.outbox.unsent_conversations(), *await tx.messages.waiting_conversations()]
        for conversation in dict.fromkeys(left):
            await self.queue.ring(conversation)

    async def _waiting(self, conversation: ConversationKey) -> Sequence[StoredMessage]:
        async with self.store.read() as tx:
            return await tx.messages.waiting(conversation)

    async def _burst(self, conversation: ConversationKey, waiting: Sequence[StoredMessage]) -> Sequence[StoredMessage]:
        """Return what waits once nobody has written for a burst window, or after a few windows at the latest."""
        for _ in range(LONGEST_BURST):
            quiet = (self.clock.now() - waiting[-1].sent_at).total_seconds()
            pause = self.burst_seconds - max(quiet, 0.0)
            if pause <= 0:
                break
            await self.clock.sleep(pause)
            waiting = await self._waiting(conversation)
        return waiting

    async def _count_attempt(self, waiting: Sequence[StoredMessage]) -> None:
        async with self.store.write() as tx:
            await tx.messages.count_attempt([message.id for message in waiting])

    async def _turn(self, conversation: ConversationKey, waiting: Sequence[StoredMessage]) -> Turn:
        """Bind persona and audience to what waits, joined with what its authors said since without addressing the bot."""
        async with self.store.read() as tx:
            persona = self.personas.get(await tx.bindings.find(binding_targets(conversation)))
            recent = await tx.messages.history(conversation, before=END_OF_HISTORY, limit=MOST_JOINED)
        askers = {message.author.id for message in waiting}
        added = [said for said in recent if said.id > waiting[0].id and said.state is MessageState.HEARD and said.author.id in askers]
        messages = tuple(sorted([*waiting, *added], key=lambda message: message.id))
        scope = MemoryScope(persona.id, audience_of(conversation, waiting[-1].kind, waiting[-1].author.id))
        return Turn(persona, scope, messages, self.clock.now())
