"""What an app needs of the world."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.domain.limits import NO_HOUSE_RULES, HouseRules
from bot.domain.persona import Personas
from bot.domain.privacy import Keeping
from bot.domain.role import ALL_ROLES, Role
from bot.plugin.manager import PluginManager
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.extractor import Extractor
from bot.ports.files import Documents, Transcriber
from bot.ports.model import ChatModel
from bot.ports.persona_files import PersonaFiles
from bot.ports.platform import Platform
from bot.ports.queue import AskedQueue, Carrier, DreamQueue, ScopeQueue, TurnQueue
from bot.ports.store import Store
from bot.ports.tokens import TokenCounter
from bot.ports.turns import RunningTurns
from bot.ports.watch import NO_WATCH, Watch

Service = Callable[[], Coroutine[None, None, None]]
"""Something that runs beside the platforms until it is cancelled."""
Bell = Callable[[Callable[[], Awaitable[None]]], Coroutine[None, None, None]]
"""Calls what it is given every few minutes, until it is cancelled."""


class SystemClock:
    """The machine's time."""

    def now(self) -> datetime:
        """Return the present in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Cluster:
    """What ties a process to others that do the same bot's work."""

    carrier: Carrier
    night: ScopeQueue
    """Carries the scopes whose night has come."""
    dreams: DreamQueue
    """Carries the dreams that members ask for."""
    everywhere: Callable[[RunningTurns], RunningTurns]
    """Makes the answers that are written here into those that are written anywhere."""


@dataclass(frozen=True, slots=True)
class World:
    """What the app needs of the world, one implementation a port. Tests put doubles in."""

    store: Store
    personas: Personas
    models: Sequence[ChatModel]
    """The first one speaks for personas that name none of them."""
    platforms: Sequence[Platform]
    extractor: Extractor
    tokens: TokenCounter
    plugins: PluginManager
    persona_files: PersonaFiles
    """Reads and writes character cards and persona packs."""
    queue: TurnQueue
    background: TurnQueue
    """Rings for conversations about whose past there may be something to write."""
    regenerations: AskedQueue
    """Rings for conversations that are to be read again."""
    clock: Clock
    embedder: Embedder | None = None
    """Without one, the past is searched by words alone."""
    documents: Documents | None = None
    """Without it, PDF files are named only."""
    transcriber: Transcriber | None = None
    """Without it, voice messages are named only."""
    bell: Bell | None = None
    """Rings for the night's work; without one no night comes."""
    roles: Collection[Role] = ALL_ROLES
    """What this process does."""
    cluster: Cluster | None = None
    """Without one it is alone, and must do everything."""
    burst_seconds: float = 1.5
    past_pause: float = 2.0
    """Seconds for which a conversation must have been quiet before anything is written about it."""
    window_tokens: int = 8192
    keeping: Keeping = field(default_factory=Keeping)
    """How long messages are kept, where they are sent, and whom to ask."""
    introduces: bool = False
    """Say once to each person, and in each group, that something is remembered."""
    discussion_people: frozenset[str] = frozenset()
    """Who may name a discussion in a group, as `platform:id`."""
    house: HouseRules = NO_HOUSE_RULES
    """What the operator has set for all; without anything, nothing is limited."""
    watch: Watch = NO_WATCH
    """Whom the core tells what it does."""
    line_notice: timedelta | None = None
    """How long a message waits in line before its author is told; None for never."""
    left_grace: timedelta = timedelta(days=30)
    """How long what is kept of a space outlives the bot's leaving it."""
