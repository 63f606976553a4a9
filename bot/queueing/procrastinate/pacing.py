"""How often the engine looks, and how long it waits."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pacing:
    """Times in seconds. They belong together: a worker that gives up its looks is done with that before others take them over."""

    poll: float = 0.5
    """Between two looks for work that nobody has told of."""
    heartbeat: float = 3.0
    dead_after: float = 20.0
    """Without a heartbeat for that long, a worker's looks are given to others."""
    rescue: float = 3.0
    """Between two looks for dead workers."""
    let_go_after: float = 13.0
    """Without a heartbeat for that long, a worker ends its looks itself: others may soon have them."""
    grace: float = 14.0
    """What is running when a worker is stopped gets that long to end before it is handed back."""
    first_pause: float = 1.0
    """Before a look that failed is repeated; doubled each time."""
    longest_pause: float = 30.0
    answer: float = 2.0
    """How long others are waited for that were asked something."""
