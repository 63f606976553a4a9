"""The line of messages that wait for an answer, over all conversations and in one."""

from collections.abc import Sequence
from typing import Protocol

from bot.domain.chat import ConversationKey
from bot.domain.load import Backlog, InLine, Left


class Line(Protocol):
    """What waits, for whoever watches it. Nobody takes turns from here: that is done conversation by conversation."""

    async def backlog(self, *, most: int) -> Backlog:
        """Return how much waits, counted up to `most`, so that it takes no longer when much does."""
        ...

    async def left(self, conversation: ConversationKey) -> Left:
        """Return all that is left to do in a conversation, as `Outbox`, `Messages` and `People` have it; one look where that is nothing."""
        ...

    async def untouched(self, *, after: int, upto: int, limit: int) -> Sequence[InLine]:
        """Return the first `limit` messages in rows above `after`, up to `upto`, that wait and that no turn has begun with, oldest first.

        Only what people, not bots, addressed to the bot is among them.
        """
        ...
