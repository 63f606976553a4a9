"""How often a persona has spoken of late although nobody addressed it."""

from datetime import datetime, timedelta

from bot.conversation.windows import Deadlines, Windows
from bot.domain.chat import ConversationKey
from bot.domain.message import Role
from bot.ports.clock import Clock
from bot.ports.store import Transaction

HOUR = timedelta(hours=1)
MOST_ASKED = 12
"""Times an hour that a model is asked, in one conversation, whether there is something to say."""
_READ_BACK = 100
"""Messages that are looked through once, for what was said before this process began."""
_EVER = timedelta(days=3650)


class Unasked:
    """Counts in memory. What was said before this process began is taken from the store, as far as it is near."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._answers = Windows(HOUR)
        self._asked = Windows(HOUR)
        self._read = Deadlines()
        self._wished = Deadlines()

    def answered(self, conversation: ConversationKey) -> None:
        """Note an answer to what nobody addressed to the persona."""
        self._answers.count(conversation, self._clock.now())

    def asked(self, conversation: ConversationKey) -> None:
        """Note that a model is going to be asked whether there is something to say."""
        self._asked.count(conversation, self._clock.now())

    def may_ask(self, conversation: ConversationKey) -> bool:
        """Say whether a model may be asked again."""
        return self._asked.full_until(conversation, MOST_ASKED, self._clock.now()) is None

    def wishes(self, conversation: ConversationKey, row: int) -> None:
        """Note that there is something to say to a message."""
        self._wished.hold((conversation, row), self._clock.now() + HOUR)

    def has_wished(self, conversation: ConversationKey, row: int) -> bool:
        """Say whether there was something to say to a message when that was asked."""
        return self._wished.until((conversation, row), self._clock.now()) is not None

    async def full_until(self, tx: Transaction, conversation: ConversationKey, limit: int) -> datetime | None:
        """Return when there may be such an answer again; None when there may be one now."""
        now = self._clock.now()
        if self._read.until(conversation, now) is None:
            self._read.hold(conversation, now + _EVER)
            await self._read_back(tx, conversation, now)
        return self._answers.full_until(conversation, limit, now)

    async def _read_back(self, tx: Transaction, conversation: ConversationKey, now: datetime) -> None:
        was_addressed = True
        for message in await tx.messages.history(conversation, limit=_READ_BACK):
            if message.role is Role.USER:
                was_addressed = message.addressed_to_bot
            elif not was_addressed and message.sent_at > now - HOUR:
                self._answers.count(conversation, message.sent_at)
