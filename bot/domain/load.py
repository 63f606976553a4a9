"""How much there is to do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.message import OutboxEntry, ReplyTarget, StoredMessage


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits in the store."""

    waiting: int
    """Messages that wait for an answer; no more than were asked for."""
    oldest: datetime | None
    """When the one was said that waits longest."""
    newest_row: int
    """The row of the one that came last; 0 when none waits."""
    unsent: int
    """Replies that are decided and not sent; no more than were asked for."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to do in one conversation."""

    unsent: Sequence[OutboxEntry]
    """Replies that are to be sent, oldest first."""
    waiting: Sequence[StoredMessage]
    """Messages that wait for an answer, oldest first."""
    passing: frozenset[int]
    """Rows of what was said by and to people who opted out."""
    draft_id: str
    """The message that shows an unfinished answer; empty when none does."""


@dataclass(frozen=True, slots=True)
class InLine:
    """A message that waits, without what it says."""

    row: int
    target: ReplyTarget
    """Where a notice about it goes."""
