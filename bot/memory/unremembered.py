"""Lines of a persona that are sent and are no part of the history."""

from datetime import datetime

from bot.domain.message import MessageState, ReplyTarget
from bot.domain.persona import Persona
from bot.ports.store import Transaction


async def post_unremembered(tx: Transaction, target: ReplyTarget, persona: Persona, text: str, *, at: datetime) -> None:
    """Put a line into the outbox that stands in no prompt later, so that nothing is ever summarised or learned from it."""
    row = await tx.messages.record_reply(target, persona.id, persona.name, text, at=at)
    await tx.messages.set_state([row.id], MessageState.FAILED)
    await tx.outbox.put(target, text, row.id)
