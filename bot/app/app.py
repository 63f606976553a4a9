"""A Baku in one process: the parts put together, and their lifetime."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Self

import structlog

from bot.app.builtins import Answers, BuiltIns, dreams_of
from bot.app.past import models_of, past_of
from bot.app.standing import Standing
from bot.app.world import Service, World
from bot.commands.desk import CommandDesk
from bot.commands.door import GuardedDesk
from bot.commands.help import help_command
from bot.conversation.asked_again import ThresholdForCommands
from bot.conversation.deliver import Delivery
from bot.conversation.inbox import ConversationInbox
from bot.conversation.mailbox import Mailbox
from bot.conversation.pipeline import Pipeline
from bot.conversation.running import WritingHere
from bot.conversation.threshold import Threshold
from bot.conversation.unasked import Unasked
from bot.domain.chat import ConversationKey, binding_targets
from bot.domain.job import DECAY, DREAM
from bot.errors import ConfigError, LoginRefused
from bot.jobs.decay import Decay
from bot.jobs.erasing import Erasing
from bot.jobs.night import Night
from bot.jobs.retention import Retention
from bot.jobs.timed import timed, timed_on_scope
from bot.jobs.unprompted import Unprompted
from bot.memory.erasing.engine import Eraser
from bot.plugin.guard import attempt_async
from bot.ports.platform import Platform
from bot.prompt.builder import PromptBuilder

FIRST_PAUSE = 1.0
"""Seconds before a platform that broke is tried again; doubled each time."""
LONGEST_PAUSE = 60.0

log = structlog.get_logger(__name__)


class App:
    """A Baku in one process. Enter it to open the store; leave it to close everything."""

    def __init__(self, world: World, *, only: str = "") -> None:
        """Take the world, and the one platform to serve of all that are registered, if it is one."""
        self._world = world
        self._only = only
        self._cleanup = AsyncExitStack()
        self.past = past_of(world)
        threshold, writing = Threshold(world.personas, world.clock, world.house), WritingHere()
        answers = Answers(writing, ThresholdForCommands(threshold, world.personas, world.clock))
        world.plugins.register(BuiltIns(world, self.past, answers), "baku")
        self.store, self.queue, self.personas = world.store, world.queue, world.personas
        self.platforms = {platform.name: platform for platform in world.plugins.platforms if only in {"", platform.name}}
        self.standing = Standing(world.store, self.platforms)
        self.mailbox = Mailbox(
            store=world.store,
            clock=world.clock,
            personas=world.personas,
            pipeline=self._pipeline(threshold.unasked),
            delivery=Delivery(world.store, self.platforms, world.clock, world.watch),
            queue=world.queue,
            background=world.background,
            burst_seconds=world.burst_seconds,
            writing=writing,
            watch=world.watch,
        )
        self.dreams, self.decay = dreams_of(world), Decay(world.store, world.clock)
        metrics = world.watch.metrics
        dream, decay = timed_on_scope(metrics, DREAM, self.dreams.about), timed_on_scope(metrics, DECAY, self.decay)
        self.night = Night(world.store, world.personas, world.clock, dream, decay)
        self.erasing = Erasing(Eraser(world.store, world.clock), world.left_grace)
        self.retention = Retention(world.store, world.clock, world.keeping)
        self.unprompted = Unprompted(world.store, world.personas, world.clock, world.queue, world.house)
        commands = world.plugins.commands
        desk = CommandDesk([*commands, help_command(commands)])
        guarded = GuardedDesk(desk, world.store, world.house)
        self.inbox = ConversationInbox(
            store=world.store,
            queue=world.queue,
            background=world.background,
            plugins=world.plugins,
            desk=guarded,
            threshold=threshold,
            eraser=self.erasing.eraser,
            discussion_people=world.discussion_people,
            watch=world.watch,
        )

    async def __aenter__(self) -> Self:
        await self.store.open()
        self._cleanup.push_async_callback(self.store.close)
        self._cleanup.push_async_callback(self._world.extractor.close)
        self._cleanup.push_async_callback(self._world.watch.traces.close)
        if self._world.embedder is not None:
            self._cleanup.push_async_callback(self._world.embedder.close)
        if self._world.transcriber is not None:
            self._cleanup.push_async_callback(self._world.transcriber.close)
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
            turns = tasks.create_task(self.standing.during("queue", self.queue.run(self.mailbox.take_turns)))
            prepare = partial(self.past.prepare, self.platforms)
            background: Sequence[Service] = (
                partial(self._world.background.run, self._write_past),
                self.past.regenerations.run,
                prepare,
                self.erasing.resume,
            )
            beside = [tasks.create_task(service()) for service in (*services, *background)]
            if self._world.bell is not None:
                beside.append(tasks.create_task(self._world.bell(self._ring)))
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

    async def _write_past(self, conversation: ConversationKey) -> None:
        with timed(self._world.watch.metrics, "past"):
            await self.past.job(conversation)

    async def _ring(self) -> None:
        """Do what the bell rings for."""
        with timed(self._world.watch.metrics, "bell"):
            await self._do_what_is_due()

    async def _do_what_is_due(self) -> None:
        await self.erasing.ring()
        await self.night.ring()
        await self.retention.ring()
        await self.unprompted.ring()
        await self.past.job.go_on(self._world.background)

    def _pipeline(self, unasked: Unasked) -> Pipeline:
        world = self._world
        return Pipeline(
            store=world.store,
            clock=world.clock,
            tokens=world.tokens,
            builder=PromptBuilder(world.tokens, world.window_tokens),
            models=models_of(world),
            plugins=world.plugins,
            platforms=self.platforms,
            reader=self.past.reader,
            introduces=world.introduces,
            unasked=unasked,
            documents=world.documents,
            transcriber=world.transcriber,
            watch=world.watch,
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
            self.standing.refuse(platform.name)
            log.error("login_refused", platform=platform.name, problem=str(problem))
        return True
