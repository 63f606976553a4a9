"""Which platforms nothing can leave for just now, so that one answer at a time tries them and not all."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.chat import ConversationKey
from bot.errors import DeliveryDelayed
from bot.ports.clock import Clock

LONGEST_PAUSE = 60.0
"""Seconds between two tries of a platform that is out of reach, unless it asks for more."""
ONE_TRY = 30.0
"""Seconds that the one who tries has before another one does."""


@dataclass(slots=True)
class _Outage:
    """What is known of a platform since something last left for it."""

    since: datetime
    first: ConversationKey
    """The trouble of one conversation is its own; with a second one it is the platform's."""
    until: datetime
    pause: float = 0.0
    """Seconds between the last two tries."""


class Reach:
    """Knows which platforms this process cannot reach. The longer that lasts, the longer are the pauses between two tries."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._outages: dict[str, _Outage] = {}

    def expect(self, platform: str) -> None:
        """Return where something may leave. Raises DeliveryDelayed while that is known to be in vain."""
        outage = self._outages.get(platform)
        left = (outage.until - self._clock.now()).total_seconds() if outage is not None else 0.0
        if outage is not None and 0 < left <= max(outage.pause, ONE_TRY):  # it is longer only where the clock was set back
            wait = min(left, outage.pause)
            raise DeliveryDelayed(f"{platform} is out of reach; it is tried again in a moment.", retry_after=wait, everywhere=True)

    def begin(self, platform: str) -> None:
        """Begin to send. Raises as `expect` does; of those that come after a pause, one tries and the others wait for what comes of it."""
        self.expect(platform)
        outage = self._outages.get(platform)
        if outage is not None and outage.pause:
            outage.until = self._clock.now() + timedelta(seconds=ONE_TRY)

    def lost(self, conversation: ConversationKey, delay: DeliveryDelayed) -> DeliveryDelayed:
        """Note that something could not leave, and return for how long to wait: as long again as nothing has left already."""
        now = self._clock.now()
        outage = self._outages.setdefault(conversation.platform, _Outage(now, conversation, now))
        pause = max(delay.retry_after, min((now - outage.since).total_seconds(), LONGEST_PAUSE))
        if conversation != outage.first or outage.pause:
            outage.pause, outage.until = pause, now + timedelta(seconds=pause)
        return DeliveryDelayed(str(delay), retry_after=pause, everywhere=True)

    def undecided(self, platform: str) -> None:
        """Note that a try has told nothing of the platform: another one may try at once."""
        if (outage := self._outages.get(platform)) is not None:
            outage.until = self._clock.now()

    def found(self, platform: str) -> None:
        """Note that the platform answers."""
        self._outages.pop(platform, None)
