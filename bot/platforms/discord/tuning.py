"""How long the adapter waits for what."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

from bot.platforms.growing import Pace

GROWING = Pace(first=1.0, every=1.5)


@dataclass(frozen=True, slots=True)
class Tuning:
    """Seconds, unless it says otherwise. The defaults suit Discord; tests against an emulator are less patient."""

    request_seconds: float = 30.0
    """For one REST request, its rate limits included."""
    acknowledge_seconds: float = 1.5
    """Before a command that is still working asks for more time; Discord gives three."""
    connect_seconds: float = 3.0
    """For a connection to come about, before what is to be sent is put off."""
    outage_seconds: float = 5.0
    """Before a message that Discord did not take is sent again."""
    first_wait: float = 1.0
    """Before the first new try after a failure; each further one waits twice as long."""
    longest_wait: float = 60.0
    calm_seconds: float = 300.0
    """A connection that held so long starts counting failures anew."""
    identify_wait: float = 5.0
    """Before a connection identifies again: Discord takes one a shard in five seconds."""
    servers_wait: float = 10.0
    """For Discord to describe all servers after a connection begins."""
    close_seconds: float = 2.0
    draft: Pace = GROWING
    """Discord takes five edits in five seconds in a channel; typing and the last edit must find room beside them."""
    answer_missed_seconds: float = 3600.0
    """What was said to the bot while it was away is answered when it is no older than this, else only noted."""
    missed_in_channel: int = 1000
    """Messages of one channel that are read back, the newest."""
    missed_altogether: int = 10_000
    """Messages of a shard that are read back."""
    webhook_rest: float = 60.0
    """After Discord refused to make a webhook, before it is asked for one again."""

    def waits(self) -> Iterator[float]:
        """Return how long to wait after each failure, without end."""
        wait = self.first_wait
        while wait < self.longest_wait:
            yield wait
            wait *= 2
        yield from repeat(self.longest_wait)
