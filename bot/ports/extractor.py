"""Finding names in text, and what it says of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.domain.claim import Claim
from bot.domain.entity import EntityMention


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text names, and what it claims."""

    mentions: Sequence[EntityMention] = ()
    claims: Sequence[Claim] = ()


class Extractor(Protocol):
    """Finds the people, places and things that a text names. Noise gives nothing, and a text may be of any length."""

    def warm_up(self) -> None:
        """Begin to load what it needs, in the background. Without this it loads when the first text comes."""
        ...

    async def read(self, texts: Sequence[str]) -> Sequence[Reading]:
        """Return for each text its mentions in order, each name once, and what it claims of them. Never blocks the event loop.

        A question, a wish, a story or somebody else's words claim nothing. None is read any more once it is closing.
        """
        ...

    async def close(self) -> None:
        """Free its thread."""
        ...
