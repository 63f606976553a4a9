"""Personas that spaces have made their own, and how places hang together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.chat import Audience, ConversationKey
from bot.domain.message import Person
from bot.domain.persona import Avatar, Persona, PersonaVersion


@dataclass(frozen=True, slots=True)
class SpacePersona:
    """A persona of one space, as it is just now."""

    platform: str
    space_id: str
    """As in the keys of its conversations; a direct chat is a space of its own."""
    audience_space: str
    """As `space_of` tells it of the audiences there: another text in direct chats alone."""
    persona: Persona


class SpacePersonas(Protocol):
    """Personas that a space has made its own: changed ones of the installation under the same id, and new ones. Nothing crosses spaces."""

    async def get(self, platform: str, space_id: str, persona_id: str) -> Persona | None:
        """Return the space's own persona of that id; None where it has none, or took it back."""
        ...

    async def all(self, platform: str, space_id: str) -> Sequence[Persona]:
        """Return all personas of the space's own, by id."""
        ...

    async def of_audience(self, audience: Audience, persona_id: str) -> Persona | None:
        """Return the own persona of the space that an audience belongs to, for work that knows of no conversation."""
        ...

    async def everywhere(self, *, after: tuple[str, str, str] = ("", "", ""), limit: int) -> Sequence[SpacePersona]:
        """Return personas of all spaces, in the order of platform, space and id, those after `after`."""
        ...

    async def put(
        self, conversation: ConversationKey, audience: Audience, persona: Persona, *, by: Person, at: datetime, reason: str
    ) -> PersonaVersion:
        """Keep the new state of a persona for the space of a conversation, whose audience this is; live from now on."""
        ...

    async def take_back(self, platform: str, space_id: str, persona_id: str, *, by: Person, at: datetime, reason: str) -> bool:
        """Let the space have no persona of its own of that id any more; False when it had none. Its versions stay to be seen."""
        ...

    async def versions(self, platform: str, space_id: str, persona_id: str, *, limit: int) -> Sequence[PersonaVersion]:
        """Return the last versions, newest first."""
        ...

    async def avatar(self, platform: str, space_id: str, persona_id: str) -> Avatar | None:
        """Return the picture that the space gave the persona."""
        ...

    async def set_avatar(self, platform: str, space_id: str, persona_id: str, avatar: Avatar | None) -> None:
        """Keep a picture, or with None take it away."""
        ...


class Places(Protocol):
    """Which category a channel is in, as the platform told last, and spaces that get another id."""

    async def category(self, conversation: ConversationKey) -> str:
        """Return the id of the category that the conversation's channel is in; empty where there is none."""
        ...

    async def note(self, conversation: ConversationKey, category_id: str) -> None:
        """Keep the category of the conversation's channel."""
        ...

    async def move(self, platform: str, old_space: str, new_space: str, at: datetime) -> Sequence[ConversationKey]:
        """Let all that is kept of a space stand under another id from now on; return its conversations there, none when it was done before.

        What stands under the new id already stays: settings there win, memories whose number was handed out there get new ones.
        The ids of messages of the old space begin with its id from then on. Work that began before is overtaken, as by an erasure.
        """
        ...
