"""Telegram's limits on how often a bot may send."""

import math
from collections import defaultdict, deque
from dataclasses import dataclass, field

from tests.emulators.telegram.chats import Chat, ChatKind
from tests.emulators.telegram.errors import flood


@dataclass(frozen=True, slots=True)
class Rate:
    """So many messages in so many seconds."""

    messages: int
    seconds: float


PRIVATE_RATE = Rate(30, 30.0)
GROUP_RATE = Rate(20, 60.0)


@dataclass(slots=True)
class SendingLimits:
    """Counts what is sent to each chat; without rates nothing is limited."""

    private: Rate | None = None
    group: Rate | None = None
    _sent: dict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    @classmethod
    def like_telegram(cls) -> "SendingLimits":
        """Return the limits that Telegram names in its FAQ."""
        return cls(PRIVATE_RATE, GROUP_RATE)

    def count(self, chat: Chat, now: float) -> None:
        """Count one message to `chat`, or refuse it with the seconds to wait."""
        rate = self.private if chat.kind is ChatKind.PRIVATE else self.group
        if rate is None:
            return
        sent = self._sent[chat.id]
        while sent and sent[0] <= now - rate.seconds:
            sent.popleft()
        if len(sent) >= rate.messages:
            raise flood(max(1, math.ceil(sent[0] + rate.seconds - now)))
        sent.append(now)
