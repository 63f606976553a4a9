"""Finding names in text."""

from collections.abc import Sequence
from typing import Protocol

from bot.domain.entity import EntityMention


class Extractor(Protocol):
    """Finds the people, places and things that a text names."""

    def warm_up(self) -> None:
        """Begin to load what it needs, in the background. Without this it loads when the first text comes."""
        ...

    async def extract(self, text: str) -> Sequence[EntityMention]:
        """Return the mentions in order, each name once. Never blocks the event loop; takes text of any length; noise gives nothing."""
        ...

    async def close(self) -> None:
        """Free its thread."""
        ...
