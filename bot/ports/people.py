"""What people have said about being remembered, and letting go of what is old."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.chat import Audience, ConversationKey
from bot.domain.privacy import Hidden


class People(Protocol):
    """Who opted out, who was told what is remembered, and the words of those who opted out, as long as they wait for an answer."""

    async def opt_out(self, platform: str, person_id: str, at: datetime) -> bool:
        """Note that a person is not to be remembered; False when that is known."""
        ...

    async def opt_in(self, platform: str, person_id: str) -> bool:
        """Note that a person may be remembered; False when nobody had said otherwise."""
        ...

    async def out(self, platform: str, person_ids: Collection[str]) -> frozenset[str]:
        """Return those of the persons who opted out."""
        ...

    async def hidden(self, audience: Audience) -> Hidden:
        """Return who of those known in an audience opted out, with the names that they are known under there."""
        ...

    async def introduce(self, platform: str, space_id: str, at: datetime) -> bool:
        """Return True to exactly one caller for each space; in private each person has one, as `space_of` names it."""
        ...

    async def pass_by(self, conversation: ConversationKey, rows: Collection[int], at: datetime) -> None:
        """Note that messages are to be let go of once they are answered. No history, page or search of others has them meanwhile."""
        ...

    async def passing(self, conversation: ConversationKey) -> frozenset[int]:
        """Return the messages that are to be let go of."""
        ...

    async def passing_conversations(self) -> Sequence[ConversationKey]:
        """Return where there are some, in the order of their texts."""
        ...

    async def let_go(self, conversation: ConversationKey, at: datetime) -> int:
        """Delete those that neither wait nor are to be sent, with all that refers to them; return how many.

        One that its platform sends again is not recorded.
        """
        ...


@dataclass(frozen=True, slots=True)
class Expired:
    """What was found in a window of a conversation."""

    rows: Sequence[int]
    """Messages that have been kept long enough."""
    after: int | None
    """Where the next window begins; None when all that comes is newer."""


class Expiry(Protocol):
    """Letting go of messages that have been kept long enough. What was written about them stays."""

    async def conversations(self, *, after: str = "", limit: int) -> Sequence[ConversationKey]:
        """Return conversations with messages, in the order of their texts, those after `after`. An index is read, never all messages."""
        ...

    async def expired(
        self, conversation: ConversationKey, *, before: datetime, unsummarised_before: datetime, after: int = 0, limit: int
    ) -> Expired:
        """Return what was sent before `before` and is summarised, or before `unsummarised_before`, of the next `limit` messages.

        What waits, or is to be sent, is left out. Of a chunk all messages go or none: so long as one of them is newer, all stay.
        """
        ...

    async def remove(self, conversation: ConversationKey, rows: Collection[int]) -> int:
        """Delete messages with the names and relations that rest on them; return how many. What search finds of them is the caller's."""
        ...
