"""Interactions: what a member asked by command, button or form, and what the bot answered."""

import secrets
from dataclasses import dataclass, field
from enum import IntEnum

from tests.emulators.changes import PATIENCE_SECONDS, Changes
from tests.emulators.discord.clock import Clock
from tests.emulators.discord.objects import Channel, Message, Payload, User

DEADLINE_SECONDS = 3.0
TOKEN_SECONDS = 15 * 60.0


class InteractionKind(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class CallbackKind(IntEnum):
    """Discord's types of a first answer."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class CommandUnavailable(Exception):
    """The member's client would not have offered or accepted this command."""


@dataclass(slots=True, eq=False)
class Interaction:
    """One interaction as the asker lives it: a spinner, answers, a form or a failure."""

    id: int
    kind: InteractionKind
    user: User
    channel: Channel
    clock: Clock
    changes: Changes
    created: float
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    source: Message | None = None
    acknowledged: float | None = None
    callback: CallbackKind | None = None
    original: Message | None = None
    follow_ups: list[Message] = field(default_factory=list)
    choices: list[Payload] | None = None
    form: Payload | None = None

    @property
    def messages(self) -> list[Message]:
        """Return the answers that are shown, the first one first; a spinner is none."""
        first = [self.original] if self.original else []
        return [m for m in (*first, *self.follow_ups) if not m.loading and not m.deleted]

    @property
    def texts(self) -> list[str]:
        """Return the texts of the answers."""
        return [message.content for message in self.messages]

    @property
    def deferred(self) -> bool:
        """Say whether the bot asked for more time first."""
        return self.callback is CallbackKind.DEFERRED_MESSAGE

    @property
    def too_late(self) -> bool:
        """Say whether the three seconds are over."""
        return self.clock() - self.created > DEADLINE_SECONDS

    @property
    def failed(self) -> bool:
        """Say whether the asker reads "The application did not respond"."""
        return self.acknowledged is None and self.too_late

    @property
    def expired(self) -> bool:
        """Say whether the token is no longer good for follow-ups."""
        return self.clock() - self.created > TOKEN_SECONDS

    async def answer(self, *, timeout: float = PATIENCE_SECONDS) -> Message:
        """Return the first shown answer."""
        messages = await self.changes.until(lambda: self.messages, f"an answer to interaction {self.id}", timeout=timeout)
        return messages[0]

    async def acknowledgement(self, *, timeout: float = PATIENCE_SECONDS) -> CallbackKind:
        """Return the kind of the first answer as soon as there is one."""
        kind = await self.changes.until(lambda: self.callback, f"a callback of interaction {self.id}", timeout=timeout)
        assert kind is not None
        return kind


class Interactions:
    """All interactions, by id and by token."""

    def __init__(self) -> None:
        self._by_id: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}

    def add(self, interaction: Interaction) -> None:
        """Keep the interaction."""
        self._by_id[interaction.id] = interaction
        self._by_token[interaction.token] = interaction

    def get(self, interaction_id: int, token: str) -> Interaction | None:
        """Return the interaction if the token is its own."""
        found = self._by_id.get(interaction_id)
        return found if found is not None and found.token == token else None

    def by_token(self, token: str) -> Interaction | None:
        """Return the interaction of a follow-up."""
        return self._by_token.get(token)
