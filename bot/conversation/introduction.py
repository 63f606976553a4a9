"""Saying once, to each person and in each group, that something is remembered."""

from datetime import datetime

from bot.conversation.notices import notices
from bot.domain.chat import CONSOLE, space_of
from bot.domain.message import ReplyTarget
from bot.domain.turn import Turn
from bot.memory.unremembered import post_unremembered
from bot.ports.store import Transaction


async def introduce(tx: Transaction, turn: Turn, at: datetime) -> bool:
    """Put the notice into the outbox, in the persona's language and no part of the history; False where it was said before.

    Whoever sits at the terminal runs the bot themselves.
    """
    platform, space_id = space_of(turn.scope.audience)
    if platform == CONSOLE or not turn.persona.memory.enabled or not await tx.people.introduce(platform, space_id, at):
        return False
    text, target = notices(turn.persona.language).first_contact, ReplyTarget(turn.conversation, turn.kind)
    await post_unremembered(tx, target, turn.persona, text, at=at)
    return True
