"""Answers that a command asks for pass the same lists, limits and budgets as those that a message asks for."""

from dataclasses import dataclass

from bot.conversation.limit_notices import limit_notice
from bot.conversation.threshold import Threshold
from bot.domain.chat import ConversationKind
from bot.domain.message import IncomingMessage
from bot.domain.persona import Personas
from bot.memory.speaker import speaker
from bot.ports.clock import Clock
from bot.ports.store import Transaction
from bot.wording.say import say


@dataclass(frozen=True, slots=True)
class ThresholdForCommands:
    """Fulfils `bot.ports.turns.Admission`."""

    threshold: Threshold
    personas: Personas
    clock: Clock

    async def admit(self, tx: Transaction, message: IncomingMessage) -> str:
        """Count an answer, or return why there is none."""
        decision = await self.threshold.decide(tx, message)
        if decision.speaks:
            await self.threshold.settle(tx, message, decision)
            return ""
        persona = await speaker(tx, self.personas, message.conversation, at=self.clock.now())
        in_private = message.kind is ConversationKind.DIRECT
        return limit_notice(decision, persona, self.clock.now(), in_private=in_private) or say("I may not answer here just now.")
