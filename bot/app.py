"""The composition root: builds each part once and owns its lifetime."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Self

import structlog

from bot.commands.desk import CommandDesk
from bot.commands.dream import dream_commands
from bot.commands.help import help_command
from bot.commands.memory import memory_commands
from bot.commands.persona import persona_commands
from bot.commands.policy import policy_commands
from bot.config import Settings
from bot.conversation.deliver import Delivery
from bot.conversation.host import ConversationHost
from bot.conversation.inbox import ConversationInbox
from bot.conversation.mailbox import Mailbox
from bot.conversation.models import Models
from bot.conversation.pipeline import Pipeline
from bot.domain.chat import CONSOLE, ConversationKey, binding_targets
from bot.domain.command import Command
from bot.domain.extension import Tool
from bot.domain.persona import Persona, Personas
from bot.errors import ConfigError, LoginRefused
from bot.jobs.decay import Decay
from bot.jobs.diary import ToldDreams
from bot.jobs.dream import DreamJob
from bot.jobs.night import Night
from bot.memory.dreams.limits import DreamLimits
from bot.plugin import hookimpl
from bot.plugin.guard import attempt_async
from bot.plugin.manager import PluginManager
from bot.ports.clock import Clock
from bot.ports.extractor import Extractor
from bot.ports.model import ChatModel
from bot.ports.platform import Platform
from bot.ports.queue import TurnQueue
from bot.ports.store import Store
from bot.ports.tokens import TokenCounter
from bot.prompt.builder import PromptBuilder
from bot.queueing.inprocess import InProcessQueue
from bot.tools.memory_tools import MEMORY_TOOLS

Service = Callable[[], Coroutine[None, None, None]]
"""Something that runs beside the platforms until it is cancelled."""
Bell = Callable[[Callable[[], Awaitable[None]]], Coroutine[None, None, None]]
"""Calls what it is given every few minutes, until it is cancelled."""
OFFLINE = "offline"
"""The model that does not reason: with it, dreams go by rules alone."""
DREAM_BY_NIGHT = DreamLimits()
DREAM_ON_COMMAND = DreamLimits(seconds=80.0)
"""Somebody waits for a dream on command."""

FIRST_PAUSE = 1.0
"""Seconds before a platform that broke is tried again; doubled each time."""
LONGEST_PAUSE = 60.0

log = structlog.get_logger(__name__)


class SystemClock:
    """The machine's time."""

    def now(self) -> datetime:
        """Return the present in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        await asyncio.sleep(seconds)


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
    queue: TurnQueue
    clock: Clock
    bell: Bell | None = None
    """Rings for the night's work; without one no night comes."""
    burst_seconds: float = 1.5
    window_tokens: int = 8192


class BuiltIns:
    """Baku's own platforms, models, tools and commands; they come in through the same hooks as everybody's, and before them."""

    def __init__(self, world: World) -> None:
        self._world = world

    @hookimpl(tryfirst=True)
    def register_platforms(self) -> Sequence[Platform]:
        """Return the platforms that are set up."""
        return self._world.platforms

    @hookimpl(tryfirst=True)
    def register_models(self) -> Sequence[ChatModel]:
        """Return the models that are set up."""
        return self._world.models

    @hookimpl(tryfirst=True)
    def register_tools(self) -> Sequence[Tool]:
        """Return memory's own tools."""
        return MEMORY_TOOLS

    @hookimpl(tryfirst=True)
    def register_commands(self) -> Sequence[Command]:
        """Return the commands on memories, dreams and personas."""
        world = self._world
        return [
            *memory_commands(world.store, world.personas, world.clock),
            *policy_commands(world.store, world.personas),
            *dream_commands(world.store, world.personas, world.clock, dreams_of(world, DREAM_ON_COMMAND)),
            *persona_commands(world.store, world.personas),
        ]


class App:
    """A Baku in one process. Enter it to open the store; leave it to close everything."""

    def __init__(self, world: World, *, only: str = "") -> None:
        """Take the world, and the one platform to serve of all that are registered, if it is one."""
        self._world = world
        self._only = only
        self._cleanup = AsyncExitStack()
        world.plugins.register(BuiltIns(world), "baku")
        self.store, self.queue, self.personas = world.store, world.queue, world.personas
        self.platforms = {platform.name: platform for platform in world.plugins.platforms if only in {"", platform.name}}
        self.mailbox = Mailbox(
            store=world.store,
            clock=world.clock,
            personas=world.personas,
            pipeline=self._pipeline(),
            delivery=Delivery(world.store, self.platforms, world.clock),
            queue=world.queue,
            burst_seconds=world.burst_seconds,
        )
        self.dreams, self.decay = dreams_of(world), Decay(world.store, world.clock)
        self.night = Night(world.store, world.personas, world.clock, self.dreams.about, self.decay)
        commands = world.plugins.commands
        desk = CommandDesk([*commands, help_command(commands)])
        self.inbox = ConversationInbox(world.store, world.personas, world.queue, world.plugins, desk)

    async def __aenter__(self) -> Self:
        await self.store.open()
        self._cleanup.push_async_callback(self.store.close)
        self._cleanup.push_async_callback(self._world.extractor.close)
        for model in self._world.plugins.models:
            self._cleanup.push_async_callback(attempt_async, model.close, plugin=model.name, doing="close the model")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._cleanup.aclose()

    async def run(self, *services: Service) -> None:
        """Serve all platforms, and the services beside them, until the last platform ends or this is cancelled.

        Turns end before the platforms do, so that a reply that is being sent is also marked as sent.
        """
        async with asyncio.TaskGroup() as tasks:
            turns = tasks.create_task(self.queue.run(self.mailbox.take_turns))
            beside = [tasks.create_task(service()) for service in services]
            if self._world.bell is not None:
                beside.append(tasks.create_task(self._world.bell(self.night.ring)))
            self._world.extractor.warm_up()
            await self.mailbox.recover()
            serving = [tasks.create_task(self._serve(platform)) for platform in self.platforms.values()]
            try:
                await asyncio.wait(serving)
            finally:
                turns.cancel()
                await asyncio.wait([turns])
                for task in beside:
                    task.cancel()

    async def bind(self, conversation: ConversationKey, persona_id: str) -> None:
        """Let a persona speak in a conversation from now on. Raises ConfigError when there is none of that id."""
        if persona_id not in self.personas.by_id:
            raise ConfigError(f"There is no persona {persona_id!r}; choose one of: {', '.join(sorted(self.personas.by_id))}.")
        async with self.store.write() as tx:
            await tx.bindings.bind(binding_targets(conversation)[0], persona_id)

    def _pipeline(self) -> Pipeline:
        world = self._world
        return Pipeline(
            store=world.store,
            clock=world.clock,
            extractor=world.extractor,
            tokens=world.tokens,
            builder=PromptBuilder(world.tokens, world.window_tokens),
            models=Models({model.name: model for model in world.plugins.models}, default=world.models[0]),
            plugins=world.plugins,
            platforms=self.platforms,
        )

    async def _serve(self, platform: Platform) -> None:
        """Keep one platform connected. One that refuses the token, or breaks, stops no other; after a break it is tried again."""
        pause = FIRST_PAUSE
        while True:
            run = partial(self._run_platform, platform)
            if await (run() if self._only else attempt_async(run, plugin=platform.name, doing="serve the platform", seconds=None)):
                return
            await self._world.clock.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _run_platform(self, platform: Platform) -> bool:
        try:
            await platform.run(self.inbox)
        except LoginRefused as problem:
            log.error("login_refused", platform=platform.name, problem=str(problem))
        return True


def dreams_of(world: World, limits: DreamLimits = DREAM_BY_NIGHT) -> ToldDreams:
    """Return the dreams of that world's personas, each dreaming with the model that it speaks with."""

    def model_of(persona: Persona) -> ChatModel | None:
        model = Models({model.name: model for model in world.plugins.models}, default=world.models[0]).of(persona)
        return None if model.name == OFFLINE else model

    dreams = DreamJob(world.store, world.clock, world.tokens, model_of, limits)
    return ToldDreams(dreams, world.store, world.clock, world.queue)


def serving_app(settings: Settings) -> tuple[App, Sequence[Service]]:
    """Return the app that serves every platform with a token, and the services to run beside it. Raises ConfigError when there is none."""
    platforms = _platforms(settings)
    world = _world(settings, platforms)
    app = App(world)
    if not app.platforms:
        raise ConfigError("No platform is set up. Set DISCORD_TOKEN or TELEGRAM_TOKEN in .env; .env.example says where to get them.")
    return app, _services(settings, world)


def chat_app(settings: Settings, console: Callable[[ConversationHost, Clock], Platform], conversation: ConversationKey) -> App:
    """Return the app for one conversation in a terminal, which `console` makes the platform of."""
    world = _world(settings, ())
    host = ConversationHost(world.store, world.personas, world.queue, conversation)
    return App(replace(world, platforms=[console(host, world.clock)]), only=CONSOLE)


def work_app(settings: Settings) -> App:
    """Return the app without any platform, for an operator's work."""
    return App(_world(settings, ()))


def _world(settings: Settings, platforms: Sequence[Platform]) -> World:
    from bot.llm.tokens import BpeTokens
    from bot.nlp.extractor import make_extractor
    from bot.scheduler import NightBell
    from bot.storage.persona_files import load_personas
    from bot.storage.store import SqlStore

    clock = SystemClock()
    plugins = PluginManager()
    plugins.load_folder(settings.plugins)
    plugins.load_entry_points()
    plugins.configure(settings.plugin_settings)
    return World(
        store=SqlStore(settings.db_url),
        personas=load_personas(settings.personas, settings.default_persona),
        models=_models(settings, clock),
        platforms=platforms,
        extractor=make_extractor(settings.spacy_model),
        tokens=BpeTokens(),
        plugins=plugins,
        queue=InProcessQueue(clock),
        clock=clock,
        bell=NightBell().run,
        burst_seconds=settings.burst_seconds,
        window_tokens=settings.context_tokens,
    )


def _models(settings: Settings, clock: Clock) -> Sequence[ChatModel]:
    """Return the endpoint's model with its fallbacks when an endpoint is set up, and the offline model."""
    from bot.llm.offline import OfflineModel

    if settings.openai_api_key is None and settings.openai_base_url is None:
        return [OfflineModel()]
    from bot.llm.fallback import FallbackModel
    from bot.llm.openai_model import OPENAI, OpenAIModel

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    names = (settings.model, *settings.fallback_models)
    chain = [OpenAIModel(name, base_url=settings.openai_base_url or OPENAI, api_key=key) for name in names]
    return [FallbackModel(chain, clock) if len(chain) > 1 else chain[0], OfflineModel()]


def _platforms(settings: Settings) -> Sequence[Platform]:
    """Return the platforms that have a token."""
    platforms: list[Platform] = []
    if settings.discord_token is not None:
        from bot.platforms.discord.adapter import DiscordPlatform

        token = settings.discord_token.get_secret_value()
        platforms.append(DiscordPlatform(token, api_base=settings.discord_api_base, gateway_url=settings.discord_gateway_url))
    if settings.telegram_token is not None:
        from bot.platforms.telegram.adapter import TelegramPlatform
        from bot.platforms.telegram.webhook import Webhook

        token, webhook = settings.telegram_token.get_secret_value(), None
        if settings.telegram_webhook_url and settings.telegram_webhook_secret:
            secret = settings.telegram_webhook_secret.get_secret_value()
            webhook = Webhook(settings.telegram_webhook_url, secret, settings.telegram_webhook_port)
        platforms.append(TelegramPlatform(token, api_base=settings.telegram_api_base, webhook=webhook))
    return platforms


def _services(settings: Settings, world: World) -> Sequence[Service]:
    """Return the web API when it has a token."""
    if settings.web_token is None:
        return ()
    from bot.web.api import make_web_app
    from bot.web.server import serve_web

    app = make_web_app(world.store, world.personas, settings.web_token.get_secret_value())
    return (partial(serve_web, app, settings.web_port),)
