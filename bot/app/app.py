"""What one process of a Baku does: the parts put together, and their lifetime."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Self

import structlog

from bot.app.builtins import Answers, BuiltIns, dreams_asked_for, dreams_of
from bot.app.leading import Leader
from bot.app.past import models_of, past_of
from bot.app.standing import Standing
from bot.app.world import Service, World
from bot.commands.desk import CommandDesk
from bot.commands.door import GuardedDesk
from bot.commands.help import help_command
from bot.conversation.asked_again import ThresholdForCommands
from bot.conversation.deliver import Delivery
from bot.conversation.inbox import ConversationInbox
from bot.conversation.line import LineNotices
from bot.conversation.mailbox import Mailbox
from bot.conversation.pipeline import Pipeline
from bot.conversation.running import WritingHere
from bot.conversation.threshold import Threshold
from bot.conversation.unasked import Unasked
from bot.domain.chat import ConversationKey, binding_targets
from bot.domain.job import DECAY, DREAM
from bot.domain.role import Role
from bot.errors import ConfigError, LoginRefused, StoreError
from bot.jobs.decay import Decay
from bot.jobs.erasing import Erasing
from bot.jobs.night import Night
from bot.jobs.retention import Retention
from bot.jobs.timed import timed, timed_on_scope
from bot.jobs.unprompted import Unprompted
from bot.memory.erasing.engine import Eraser
from bot.plugin.guard import attempt_async
from bot.ports.platform import ListensAlone, Platform, SendsAlone
from bot.ports.queue import Bounded
from bot.prompt.builder import PromptBuilder

FIRST_PAUSE = 1.0
"""Seconds before a platform that broke is tried again; doubled each time."""
LONGEST_PAUSE = 60.0
MOST_RECOVERED = 20_000
"""Conversations that are read at once to fill a queue: more than it takes, so that it asks again when there are others."""

log = structlog.get_logger(__name__)


class App:
    """A Baku in one process, or its share of one in many. Enter it to open the store; leave it to close everything."""

    def __init__(self, world: World, *, only: str = "") -> None:
        """Take the world, and the one platform to serve of all that are registered, if it is one."""
        self._world = world
        self._only = only
        self._cleanup = AsyncExitStack()
        self.past = past_of(world)
        threshold, writing = Threshold(world.personas, world.clock, world.house), WritingHere()
        running = world.cluster.everywhere(writing) if world.cluster else writing
        answers = Answers(running, ThresholdForCommands(threshold, world.personas, world.clock))
        world.plugins.register(BuiltIns(world, self.past, answers), "baku")
        self.store, self.queue, self.personas, self.plugins = world.store, world.queue, world.personas, world.plugins
        self.platforms = {platform.name: platform for platform in world.plugins.platforms if only in {"", platform.name}}
        self.standing = Standing(world.store, self.platforms)
        self.mailbox = self._mailbox(threshold.unasked, writing)
        self.dreams, self.decay = dreams_of(world), Decay(world.store, world.clock)
        metrics = world.watch.metrics
        dream, decay = timed_on_scope(metrics, DREAM, self.dreams.about), timed_on_scope(metrics, DECAY, self.decay)
        scopes = world.cluster.night if world.cluster else None
        self.night = Night(world.store, world.personas, world.clock, dream, decay, queue=scopes)
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
        if self._world.cluster is not None:
            await self._world.cluster.carrier.open()
            self._cleanup.push_async_callback(self._world.cluster.carrier.close)
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
        """Do what is this process's to do, and the services beside, until the last platform ends or this is cancelled.

        Turns end before the platforms do, so that a reply that is being sent is also marked as sent.
        """
        async with asyncio.TaskGroup() as tasks:
            work = [tasks.create_task(each) for each in self._work()]
            beside = [tasks.create_task(service()) for service in (*services, *self._beside())]
            if self._does(Role.WORKER):
                self._world.extractor.warm_up()
                await self.mailbox.recover()
            serving = [tasks.create_task(each) for each in self._serving()]
            try:
                await asyncio.wait(serving)
            finally:
                for task in work:
                    task.cancel()
                await asyncio.gather(*work, return_exceptions=True)
                for task in beside:
                    task.cancel()

    def _does(self, *roles: Role) -> bool:
        return any(role in self._world.roles for role in roles)

    def _work(self) -> Sequence[Coroutine[None, None, None]]:
        """Return what takes turns and does what is left to do after them."""
        if not self._does(Role.WORKER):
            return ()
        world = self._world
        turns = self.standing.during("queue", self.queue.run(self.mailbox.take_turns))
        work = [turns, world.background.run(self._write_past), self.past.regenerations.run()]
        if world.cluster is None:
            return work
        return [*work, world.cluster.night.run(self.night.look), world.cluster.dreams.run(dreams_asked_for(world).dream)]

    def _beside(self) -> Sequence[Service]:
        """Return what goes on beside."""
        bell, cluster = self._world.bell, self._world.cluster
        beside: list[Service] = []
        if self._does(Role.WORKER):
            beside += [partial(self.past.prepare, self.platforms), self._refill, *self._line_notices()]
        if self._does(Role.SCHEDULER):
            beside.append(self.erasing.resume)
        if bell is not None and self._does(Role.SCHEDULER, Role.WORKER):
            beside.append(partial(bell, self._ring))
        if cluster is not None:
            beside += [cluster.carrier.run, *([cluster.carrier.rescue] if self._does(Role.WORKER) else [])]
        return beside

    def _serving(self) -> Sequence[Coroutine[None, None, None]]:
        """Return what goes on until the process is to end."""
        if self._does(Role.GATEWAY):
            return [self._serve(platform, self._listening(platform)) for platform in self.platforms.values()]
        here: Sequence[object] = [*self.platforms.values()] if self._does(Role.WORKER) else []
        senders = {platform.name: platform for platform in here if isinstance(platform, SendsAlone)}
        if mute := self.platforms.keys() - senders.keys() if here else ():
            raise ConfigError(
                f"A worker cannot send to {', '.join(sorted(mute))} without taking events in. Run all roles in one process: `baku run`."
            )
        sending = [self._serve(self.platforms[name], partial(sender.run_sending, self.inbox)) for name, sender in senders.items()]
        return sending or [asyncio.sleep(float("inf"))]

    def _listening(self, platform: Platform) -> Service:
        """Return what takes a platform's events in; of those that one process alone may have, when this one is to have them."""
        listen = partial(platform.run, self.inbox)
        if self._world.cluster is None or not (isinstance(platform, ListensAlone) and platform.listens_alone):
            return listen
        return partial(Leader(self.store, f"events of {platform.name}").run, listen)

    async def bind(self, conversation: ConversationKey, persona_id: str) -> None:
        """Let a persona speak in a conversation from now on. Raises ConfigError when there is none of that id."""
        if persona_id not in self.personas.by_id:
            raise ConfigError(f"There is no persona {persona_id!r}; choose one of: {', '.join(sorted(self.personas.by_id))}.")
        async with self.store.write() as tx:
            await tx.bindings.bind(binding_targets(conversation)[0], persona_id)

    def _line_notices(self) -> Sequence[Service]:
        """Return what tells people that they wait in line, where that is wanted."""
        world = self._world
        if world.line_notice is None or self._only:
            return ()
        return [LineNotices(world.store, self.platforms, world.personas, world.clock, world.line_notice, world.watch).run]

    async def _refill(self) -> None:
        """Whenever a queue of limited room has room again, ring for what waits in the store."""
        queue: object = self.queue
        while isinstance(queue, Bounded):
            await queue.room_again()
            await self.mailbox.recover(limit=MOST_RECOVERED)

    async def _write_past(self, conversation: ConversationKey) -> None:
        with timed(self._world.watch.metrics, "past"):
            await self.past.job(conversation)

    async def _ring(self) -> None:
        """Do what the bell rings for; what the store does not serve waits for the next ring.

        Only a scheduler's part is counted, so that it is missed also where workers go on.
        """
        try:
            if self._does(Role.SCHEDULER):
                with timed(self._world.watch.metrics, "bell"):
                    await self._do_what_is_due()
            if self._does(Role.WORKER):
                await self.past.job.go_on(self._world.background)
        except StoreError as problem:
            log.warning("ring_cut_short", problem=type(problem).__name__)

    async def _do_what_is_due(self) -> None:
        await self.erasing.ring()
        await self.night.ring()
        await self.retention.ring()
        await self.unprompted.ring()
        # What a worker could not serve, for want of a token, say, is asked for again.
        await self.mailbox.recover(limit=MOST_RECOVERED)

    def _mailbox(self, unasked: Unasked, writing: WritingHere) -> Mailbox:
        world = self._world
        return Mailbox(
            store=world.store,
            clock=world.clock,
            personas=world.personas,
            pipeline=self._pipeline(unasked),
            delivery=Delivery(world.store, self.platforms, world.clock, world.watch),
            queue=world.queue,
            background=world.background,
            burst_seconds=world.burst_seconds,
            writing=writing,
            watch=world.watch,
        )

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

    async def _serve(self, platform: Platform, stay: Service) -> None:
        """Keep one platform connected. One that refuses the token, or breaks, stops no other; after a break it is tried again."""
        pause = FIRST_PAUSE
        while True:
            run = partial(self._run_platform, platform, stay)
            if await (run() if self._only else attempt_async(run, plugin=platform.name, doing="serve the platform", seconds=None)):
                return
            await self._world.clock.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _run_platform(self, platform: Platform, stay: Service) -> bool:
        try:
            await stay()
        except LoginRefused as problem:
            self.standing.refuse(platform.name)
            log.error("login_refused", platform=platform.name, problem=str(problem))
        return True
