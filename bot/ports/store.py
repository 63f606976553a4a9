"""Keeping everything: one store, transactions, and a repository for each noun."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime
from typing import Protocol, runtime_checkable

from bot.domain.chat import BindingTarget, ConversationKey
from bot.domain.job import JobRecord
from bot.domain.model import Usage
from bot.ports.corpus import Corpora
from bot.ports.erasing import Erasures
from bot.ports.graph import Entities, Relations
from bot.ports.line import Line
from bot.ports.memories import Memories
from bot.ports.messages import Messages, Outbox
from bot.ports.past import Leases, Pasts
from bot.ports.pending import PendingMemories
from bot.ports.people import Expiry, People
from bot.ports.personas import Places, SpacePersonas


class Nights(Protocol):
    """Jobs that run once a local day in a whole cluster, and what they did."""

    async def claim(self, job: str, subject: str, day: date, at: datetime) -> bool:
        """Return True to exactly one caller for each (job, subject, day)."""
        ...

    async def last_day(self, job: str, subject: str) -> date | None:
        """Return the latest day that was claimed; None when none was."""
        ...

    async def release(self, job: str, subject: str, day: date) -> None:
        """Take a claim back, as if nobody had made it."""
        ...

    async def finish(self, record: JobRecord) -> None:
        """Note how a run ended; a second note of the same run replaces the first."""
        ...

    async def last(self, job: str, subject: str) -> JobRecord | None:
        """Return the latest finished run that was neither skipped nor refused."""
        ...

    async def get(self, run: str) -> JobRecord | None:
        """Return one run."""
        ...

    async def history(self, *, job: str = "", subject: str = "", limit: int) -> Sequence[JobRecord]:
        """Return the last runs, newest first; empty texts stand for all."""
        ...


class SpaceSettings(Protocol):
    """What admins have set for a server, a group or a direct chat."""

    async def all(self, platform: str, space_id: str) -> Mapping[str, str]:
        """Return the settings by name."""
        ...

    async def held(self, platform: str, space_id: str) -> Mapping[str, str]:
        """Return the settings by name, to change one after what they say.

        No other writer that holds them goes on before the end of this transaction. A reader holds nothing.
        """
        ...

    async def everywhere(self, names: Collection[str]) -> Mapping[tuple[str, str], Mapping[str, str]]:
        """Return the settings of these names, by platform and space; spaces without any are left out."""
        ...

    async def beginning(self, prefix: str) -> Mapping[tuple[str, str], Mapping[str, str]]:
        """Return the settings whose names begin like that, by platform and space."""
        ...

    async def set(self, platform: str, space_id: str, name: str, value: str) -> None:
        """Keep a setting; an empty value removes it."""
        ...


class Bindings(Protocol):
    """Which persona speaks where. A binding belongs to its place and outlives every conversation."""

    async def bind(self, target: BindingTarget, persona_id: str) -> None:
        """Bind a persona to a place, replacing the one before."""
        ...

    async def find(self, targets: Sequence[BindingTarget]) -> str | None:
        """Return the persona bound to the first of the targets that has one."""
        ...

    async def around(self, conversation: ConversationKey) -> str | None:
        """Return the persona bound to the narrowest place around a conversation: its thread, channel, category or whole space."""
        ...

    async def free(self, target: BindingTarget) -> bool:
        """Take a place's binding away; False when there was none."""
        ...


class UsageLog(Protocol):
    """Tokens spent."""

    async def add(self, conversation: ConversationKey, persona_id: str, usage: Usage, at: datetime) -> None:
        """Note what one generation cost."""
        ...

    async def totals(self, conversation: ConversationKey) -> Usage:
        """Return the conversation's sums, with an empty model name."""
        ...

    async def spent(self, since: date, *, space: tuple[str, str] | None = None, persona_id: str = "") -> int:
        """Return the tokens, of prompts and replies together, spent from a day of UTC on.

        They are those of a space (platform and id), of a persona everywhere, or of a persona in that space. Raises ValueError for neither.
        """
        ...


class Handover(Protocol):
    """What a queue is told by a transaction: with its commit, and never when it is rolled back."""

    async def run(self, statement: str, values: Mapping[str, object]) -> None:
        """Run a queue's own statement within the transaction, in the database's own language; `:name` stands for a value."""
        ...

    def afterwards(self, call: Callable[[], Awaitable[None]]) -> None:
        """Call that as soon as the transaction is committed."""
        ...


class Transaction(Protocol):
    """One transaction over all repositories: all of it is stored or none."""

    @property
    def messages(self) -> Messages: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def bindings(self) -> Bindings: ...
    @property
    def entities(self) -> Entities: ...
    @property
    def usage(self) -> UsageLog: ...
    @property
    def nights(self) -> Nights: ...
    @property
    def settings(self) -> SpaceSettings: ...
    @property
    def relations(self) -> Relations: ...
    @property
    def pasts(self) -> Pasts: ...
    @property
    def corpora(self) -> Corpora: ...
    @property
    def leases(self) -> Leases: ...
    @property
    def people(self) -> People: ...
    @property
    def expiry(self) -> Expiry: ...
    @property
    def erasures(self) -> Erasures: ...
    @property
    def pending(self) -> PendingMemories: ...
    @property
    def personas(self) -> SpacePersonas: ...
    @property
    def places(self) -> Places: ...
    @property
    def line(self) -> Line: ...
    @property
    def handover(self) -> Handover: ...


class Store(Protocol):
    """The database. Safe for many tasks and many processes at once."""

    async def open(self) -> None:
        """Connect and check. Raises `StoreDamaged` or `SchemaMismatch`, and changes nothing then."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...

    def read(self) -> AbstractAsyncContextManager[Transaction]:
        """Give a consistent view; writing in it raises `StoreError`."""
        ...

    def write(self) -> AbstractAsyncContextManager[Transaction]:
        """Commit at the end, roll back when the body raises. Keep it short: no model, no platform inside.

        Of two that turn to the memories of one scope, the second waits there for the end of the first: neither undoes what the other did.
        """
        ...

    async def wipe(self) -> int | None:
        """Let nothing of what was deleted be left in the database's own files, or in memory.

        Return how many copies of the database, made before upgrades, were deleted; None when others kept it from being done: try again.
        """
        ...

    async def tidy(self, *, up_to: int = 0) -> None:
        """Make room for messages to come, at least up to that row, and give back the room of those that have gone.

        Call it every few minutes, from as many processes as there are; it takes long only where there is much to give back.
        """
        ...


@runtime_checkable
class Pooled(Protocol):
    """What a store may know beside: its connections to the database."""

    @property
    def connections_in_use(self) -> int:
        """Say how many are in use just now."""
        ...
