"""A whole bot with doubles at its edges: a test says something and reads what comes back."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from uuid import uuid4

from bot.app.app import App
from bot.app.world import SystemClock, World
from bot.commands.parse import ParseProblem, parse_line
from bot.domain.chat import ConversationKey, MemoryScope
from bot.domain.command import Answer, CommandCall
from bot.domain.memory import Memory
from bot.domain.message import IncomingMessage, Person, Quote
from bot.domain.persona import Persona, Personas
from bot.nlp.rule_extractor import RuleExtractor
from bot.plugin.manager import PluginManager
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.files import Documents, Transcriber
from bot.ports.model import ChatModel
from bot.ports.platform import Platform
from bot.ports.queue import TurnQueue
from bot.ports.store import Store
from bot.queueing.inprocess import InProcessQueue
from bot.storage.cards.persona_files import CardFiles
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.factories import ADA, DIRECT, a_persona, a_scope, incoming, kind_of
from bot.testing.platform import RecordingPlatform
from bot.testing.tokens import WordTokens

PATIENCE = 20.0
"""Seconds a test waits for a turn before it fails."""


@dataclass(slots=True)
class Bot:
    """A running bot under test."""

    app: App
    store: Store
    model: ChatModel
    platform: RecordingPlatform
    clock: FrozenClock
    personas: Personas
    background: TurnQueue

    @property
    def replies(self) -> list[str]:
        """Return all that was sent, in order."""
        return [sent.text for sent in self.platform.sent]

    async def say(self, text: str, *, author: Person = ADA, conversation: ConversationKey = DIRECT, addressed: bool = True) -> str:
        """Say something, wait until all is quiet, and return the id of the message."""
        message_id = uuid4().hex
        await self.receive(
            incoming(text, message_id=message_id, author=author, conversation=conversation, addressed=addressed, sent_at=self.clock.now())
        )
        return message_id

    async def receive(self, message: IncomingMessage) -> None:
        """Hand a message in and wait until all is quiet."""
        await self.app.inbox.receive(message)
        await self.quiet()

    async def quiet(self) -> None:
        """Wait until nothing is left to do."""
        async with asyncio.timeout(PATIENCE):
            await self.app.queue.idle()

    async def settled(self) -> None:
        """Wait until nothing is left to do in the background either."""
        await self.quiet()
        async with asyncio.timeout(PATIENCE):
            await self.background.idle()
            await self.app.past.regenerations.idle()
        await self.quiet()

    async def command(
        self,
        line: str,
        *,
        asker: Person = ADA,
        conversation: ConversationKey = DIRECT,
        admin: bool = False,
        confirmed: bool = False,
        about: Quote | None = None,
    ) -> Answer:
        """Type a command, without its slash, perhaps in reply to a message, and return the answer."""
        parsed = parse_line(line, self.app.inbox.commands)
        if isinstance(parsed, ParseProblem):
            return Answer(parsed.text)
        call = CommandCall(
            parsed.path,
            parsed.options,
            asker,
            conversation,
            kind_of(conversation),
            asker_is_admin=admin,
            confirmed=confirmed,
            about=about,
        )
        return await self.app.inbox.run_command(call)

    async def memories(self, conversation: ConversationKey = DIRECT, person: Person = ADA, *, persona_id: str = "iris") -> list[Memory]:
        """Return what a persona remembers of that person there, in number order."""
        scope = a_scope(conversation, person, persona_id=persona_id)
        return await self.memories_of(scope)

    async def memories_of(self, scope: MemoryScope) -> list[Memory]:
        """Return all memories of a scope, in number order."""
        async with self.store.read() as tx:
            return list(await tx.memories.page(scope, limit=1000))


def a_world(
    model: ChatModel,
    platforms: Sequence[Platform],
    *,
    database: str = "",
    personas: Sequence[Persona] = (),
    plugins: Mapping[str, object] | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    burst_seconds: float = 0.0,
    window_tokens: int = 8192,
) -> World:
    """Return a world with that model and those platforms. Its store is real: at the address of a `database`, else a fresh one.

    The first persona speaks where no other is bound; without any it is `factories.a_persona()`. Time is the machine's unless a
    clock is given.
    """
    cast = personas or [a_persona()]
    time, manager = clock or SystemClock(), PluginManager()
    for name, plugin in (plugins or {}).items():
        manager.register(plugin, name)
    return World(
        store=SqlStore(database or DATABASES.fresh()),
        personas=Personas({persona.id: persona for persona in cast}, default_id=cast[0].id),
        models=[model],
        platforms=platforms,
        extractor=RuleExtractor(),
        tokens=WordTokens(),
        plugins=manager,
        persona_files=CardFiles(),
        queue=InProcessQueue(time),
        background=InProcessQueue(time),
        regenerations=InProcessQueue(time),
        past_pause=0.0,
        clock=time,
        embedder=embedder,
        burst_seconds=burst_seconds,
        window_tokens=window_tokens,
    )


@asynccontextmanager
async def running(world: World) -> AsyncIterator[App]:
    """Run an app as long as the context is open."""
    async with App(world) as app:
        serving = asyncio.create_task(app.run())
        try:
            yield app
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


@asynccontextmanager
async def make_bot(
    model: ChatModel,
    *,
    database: str = "",
    personas: Sequence[Persona] = (),
    plugins: Mapping[str, object] | None = None,
    clock: FrozenClock | None = None,
    embedder: Embedder | None = None,
    burst_seconds: float = 0.0,
    window_tokens: int = 8192,
    platform: RecordingPlatform | None = None,
    documents: Documents | None = None,
    transcriber: Transcriber | None = None,
) -> AsyncIterator[Bot]:
    """Run a bot on a recording platform and a frozen clock; `a_world` tells the rest."""
    platform, frozen = platform or RecordingPlatform(), clock or FrozenClock()
    world = a_world(
        model,
        [platform],
        database=database,
        personas=personas,
        plugins=plugins,
        clock=frozen,
        embedder=embedder,
        burst_seconds=burst_seconds,
        window_tokens=window_tokens,
    )
    async with running(replace(world, documents=documents, transcriber=transcriber)) as app:
        await platform.connected.wait()
        yield Bot(app, world.store, model, platform, frozen, world.personas, world.background)
