"""How memories fade, and where they belong. Pure rules; the policy sets the numbers.

Fading is linear in the time since a memory was last weighed. It is reckoned when it is read and never written, so that it does not
matter how often, or whether, anything runs.
"""

from datetime import datetime, timedelta

from bot.domain.memory import Level, Memory
from bot.domain.persona import MemoryPolicy

DAY = timedelta(days=1)


def clamped(importance: float) -> float:
    """Return the importance within 0..1; what is no number counts as 0."""
    return min(max(importance, 0.0), 1.0) if importance == importance else 0.0  # noqa: PLR0124 - only NaN differs from itself


def faded_importance(memory: Memory, policy: MemoryPolicy, now: datetime) -> float:
    """Return the importance (0..1) left at `now`. Pinned memories never fade; a clock set back fades nothing."""
    if memory.pinned:
        return clamped(memory.importance)
    idle = max((now - (memory.weighed_at or memory.created_at)) / DAY, 0.0)
    return clamped(memory.importance - policy.decay_per_day * idle)


def level_for(memory: Memory, policy: MemoryPolicy, now: datetime) -> Level:
    """Return the level a memory has sunk to. Fading alone never lifts one."""
    importance = faded_importance(memory, policy, now)
    if memory.pinned or importance >= policy.demote_below:
        return memory.level
    return max(memory.level, Level.ARCHIVE if importance < policy.archive_below else Level.DEEP)
