"""Names that people drop, and what is known to hold between them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from bot.domain.chat import Audience
from bot.domain.entity import EntityMention
from bot.domain.past import EntityFacts, Relation


class Entities(Protocol):
    """Names, walled by audience. A name is looked up by its `name_key`: case, possessive and honorific do not matter."""

    async def add(self, audience: Audience, message_row: int, mentions: Sequence[EntityMention]) -> None:
        """Store mentions with the message they stood in; a repeat of (message, name) does nothing. Only the last few of a name are kept.

        A name that one member alone bears is that member, unless it is said of a place or the like. A mention without a sentence makes
        its name known and counts for nothing.
        """
        ...

    async def mentions(self, audience: Audience, name: str, *, limit: int) -> Sequence[tuple[int, EntityMention]]:
        """Return the last kept mentions of a name, each with its message row, newest first."""
        ...

    async def known(self, audience: Audience, keys: Collection[str], *, sentences: int = 3) -> Sequence[EntityFacts]:
        """Return what is known under these keys, as a name or as an alias, each entity once, the last mentioned first."""
        ...

    async def page(self, audience: Audience, *, limit: int) -> Sequence[EntityFacts]:
        """Return the entities that were mentioned last, the newest first."""
        ...

    async def remove(self, audience: Audience, message_rows: Collection[int]) -> None:
        """Take the kept mentions in some messages out; a name that nobody mentions any more and that is no member's goes with them."""
        ...


class Relations(Protocol):
    """What holds, and held, between names, walled by audience."""

    async def add(self, audience: Audience, relation: Relation) -> bool:
        """Store a relation; False when the same holds already, or was taken from the same message before."""
        ...

    async def end(self, audience: Audience, ids: Collection[int], *, at: datetime, by_row: int) -> None:
        """Say that relations held until then, and which message ended them. What has ended stays as it is."""
        ...

    async def remove(self, audience: Audience, message_rows: Collection[int]) -> Sequence[Relation]:
        """Take out what rests on some messages, and what they ended; return the latter as it held before, to be stored anew."""
        ...

    async def timeline(
        self, audience: Audience, subject: str, predicate: str, *, thing: str = "", person_id: str = "", limit: int
    ) -> Sequence[Relation]:
        """Return the last relations of one subject and kind, oldest first: of that member if one is given, else of the name.

        With a `thing`, those that have it as their object.
        """
        ...

    async def about(self, audience: Audience, keys: Collection[str], *, depth: int = 1, limit: int) -> Sequence[Relation]:
        """Return relations of these names (`name_key`), past ones too, and up to `depth` steps on those of their neighbours.

        Nearer ones come first, among them those that hold, the newest first.
        """
        ...
