"""What waits for somebody to decide before it may be remembered."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.chat import MemoryScope
from bot.domain.message import Person

MOST_PENDING = 100
"""Texts that wait in one scope; with more, the oldest go."""
MOST_PENDING_OF_ONE = 10
"""Texts of one speaker that wait in one scope, so that nobody can crowd out all others."""


@dataclass(frozen=True, slots=True)
class PendingMemory:
    """A text that is no memory yet. It stands in no prompt, and no search finds it."""

    scope: MemoryScope
    number: int
    """Reserved for it: the memory bears it when the text is approved."""
    text: str
    author: Person
    """Who said it."""
    subject: Person | None
    """Whom it is about, when that is known."""
    source_message_ids: tuple[int, ...]
    reason: str
    """One word for why it waits."""
    at: datetime
    importance: float = 0.75
    group: str = ""
