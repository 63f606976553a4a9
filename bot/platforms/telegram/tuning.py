"""The waiting times of the adapter; tests shorten them."""

import random
from dataclasses import dataclass

from telegram.error import TelegramError

from bot.platforms.growing import Pace
from bot.platforms.telegram.request import Flooded

GROWING = Pace(first=1.5, every=3.5)


@dataclass(frozen=True, slots=True)
class Tuning:
    """All in seconds."""

    poll: float = 30.0
    """How long Telegram keeps a request for updates open when there are none."""
    connect_seconds: float = 3.0
    """For the bot to be logged in, before what is to be sent is put off."""
    first_wait: float = 1.0
    longest_wait: float = 60.0
    """Between two tries that Telegram did not ask to space."""
    goodbye: float = 2.0
    """For the last acknowledgement when the program ends."""
    typing: float = 4.0
    """Telegram shows "typing…" for five."""
    album: float = 0.7
    """For the rest of an album to arrive."""
    answer_missed_seconds: float = 3600.0
    """What was said to the bot while it was away is answered when it is no older than this, else only noted."""
    answer_seconds: float = 600.0
    """For so long a question is open that asks for what a command lacks."""
    draft: float = 1.0
    growing: Pace = GROWING
    """A group takes twenty messages and edits a minute."""

    def wait_after(self, failures: int, error: TelegramError) -> float:
        """Return how long to wait after so many failures in a row: what Telegram asks for, else longer each time, with jitter."""
        if isinstance(error, Flooded):
            return error.retry_after + random.uniform(0, self.first_wait)
        longest = min(self.first_wait * 2.0 ** min(failures, 16), self.longest_wait)
        return random.uniform(longest / 2, longest)
