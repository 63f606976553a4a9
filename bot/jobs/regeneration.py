"""Regenerations that people ask for in a chat: they go on in the background, and the chat is told how they ended."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

import structlog

from bot.domain.chat import AudienceKind, ConversationKey, ConversationKind
from bot.domain.message import ReplyTarget
from bot.domain.past import ChunkState
from bot.domain.persona import Persona, Personas
from bot.errors import StoreError
from bot.jobs.past import audience_in
from bot.memory.past.lease import release_dead
from bot.memory.past.regenerate import RegenerationReport, RegenerationState, report_of
from bot.memory.policy import policy_for
from bot.memory.speaker import speaker
from bot.memory.unremembered import post_unremembered
from bot.ports.clock import Clock
from bot.ports.model import ChatModel
from bot.ports.queue import AskedQueue, TurnQueue
from bot.ports.store import Store

BUSY_TRIES = 40
BUSY_PAUSE = 15.0
"""Seconds before another try, while the usual work after a reply is under way."""

Waits = Callable[[ConversationKey, datetime], None]

log = structlog.get_logger(__name__)


class Regenerates(Protocol):
    """Writes a conversation's past anew."""

    async def regenerate(
        self,
        conversation: ConversationKey,
        persona: Persona,
        model: ChatModel,
        *,
        chunk_tokens: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> RegenerationReport:
        """Return what came of it; `progress` is told how many questions are answered, and of how many."""
        ...


@dataclass(slots=True)
class Progress:
    """How far a regeneration has come, in questions to the model."""

    done: int = 0
    total: int = 0

    def __call__(self, done: int, total: int) -> None:
        """Take the newest count."""
        self.done, self.total = done, total


@dataclass(frozen=True, slots=True)
class _There:
    """Who reads a conversation again, and where that is told."""

    persona: Persona
    model: ChatModel
    target: ReplyTarget


class BackgroundRegenerations:
    """Regenerates where that is asked for, one at a time in a conversation.

    That a conversation is to be read again stands in the store. Whoever takes the work over from a process that was killed goes on.
    """

    def __init__(
        self,
        regeneration: Regenerates,
        model_of: Callable[[Persona], ChatModel | None],
        store: Store,
        clock: Clock,
        personas: Personas,
        *,
        requests: AskedQueue,
        queue: TurnQueue,
        waits: Waits | None = None,
    ) -> None:
        """Take what it works with: `requests` carries the work, `queue` what is told at its end.

        `waits` is told where the rest is to be done once there are tokens again, and when.
        """
        self._regeneration = regeneration
        self._model_of = model_of
        self._store = store
        self._clock = clock
        self._personas = personas
        self._requests = requests
        self._queue = queue
        self._waits = waits
        self._going_on: dict[ConversationKey, Progress] = {}

    async def run(self) -> None:
        """Do what is asked for, here or in another process, until cancelled."""
        await self._requests.run(self._serve)

    async def idle(self) -> None:
        """Return when none goes on and none is asked for."""
        await self._requests.idle()

    def can_summarise(self, persona: Persona) -> bool:
        """Say whether the persona has a model that can."""
        return self._model_of(persona) is not None

    async def progress(self, conversation: ConversationKey) -> Progress | None:
        """Return how far the one that goes on there has come, in chunks where another process is at it; None when none does."""
        if here := self._going_on.get(conversation):
            return here
        if not await self._requests.is_asked(conversation):
            return None
        async with self._store.read() as tx:
            building = (await tx.pasts.state(conversation)).building
            if building is None:
                return Progress()
            done = await tx.pasts.count(conversation, building, states=(ChunkState.DONE, ChunkState.PARKED))
            return Progress(done, await tx.pasts.count(conversation, building))

    async def begin(self, conversation: ConversationKey, *, chunk_tokens: int) -> bool:
        """Begin, or go on with one that was broken off; False while one goes on there."""
        if await self._requests.is_asked(conversation):
            return False
        async with self._store.write() as tx:
            await tx.pasts.begin_building(conversation, chunk_tokens=chunk_tokens)
            await self._requests.ask(tx, conversation)
        return True

    async def _serve(self, conversation: ConversationKey) -> None:
        """Regenerate and tell of it. An outage of the store leads to another look, anything else that breaks is over."""
        there = await self._there(conversation)
        if there is None:
            return
        progress = self._going_on[conversation] = Progress()
        try:
            report = await self._regenerated(there, progress)
            if report.until is not None and self._waits is not None:
                self._waits(conversation, report.until)
            await self._tell(there, told(report))
        except Exception as problem:
            if _is_outage(problem):
                raise
            log.exception("regeneration_failed", platform=conversation.platform)
        finally:
            del self._going_on[conversation]

    async def _there(self, conversation: ConversationKey) -> _There | None:
        """Return who reads it again; None where nobody has said anything, nothing is summarised, or no model can."""
        async with self._store.read() as tx:
            audience = await audience_in(tx, conversation)
            if audience is None:
                return None
            persona = await speaker(tx, self._personas, conversation, at=self._clock.now())
            persona = replace(persona, memory=await policy_for(tx, persona, audience))
        model = self._model_of(persona)
        if model is None or not persona.memory.past:
            return None
        kind = ConversationKind.DIRECT if audience.kind is AudienceKind.PERSON else ConversationKind.GROUP
        return _There(persona, model, ReplyTarget(conversation, kind))

    async def _regenerated(self, there: _There, progress: Progress) -> RegenerationReport:
        """Regenerate as soon as nobody else writes about the conversation, unless they have finished it."""
        conversation = there.target.conversation
        for _ in range(BUSY_TRIES):
            async with self._store.read() as tx:
                state = await tx.pasts.state(conversation)
                if state.building is None:
                    return await report_of(tx, conversation, state.generation)
            size = state.building_chunk_tokens
            report = await self._regeneration.regenerate(conversation, there.persona, there.model, chunk_tokens=size, progress=progress)
            if report.state is not RegenerationState.BUSY:
                return report
            await release_dead(self._store)
            await self._clock.sleep(BUSY_PAUSE)
        return RegenerationReport(RegenerationState.BUSY)

    async def _tell(self, there: _There, text: str) -> None:
        async with self._store.write() as tx:
            await post_unremembered(tx, there.target, there.persona, text, at=self._clock.now())
            await self._queue.ask(tx, there.target.conversation)


def _is_outage(problem: Exception) -> bool:
    """Say whether the store did not serve, perhaps while a lease was held."""
    return isinstance(problem, StoreError) or (isinstance(problem, ExceptionGroup) and problem.subgroup(StoreError) is not None)


def told(report: RegenerationReport) -> str:
    """Say how a regeneration ended, and what to do next."""
    match report.state:
        case RegenerationState.DONE:
            parked = f" I gave up on {report.parked}." if report.parked else ""
            return f"📖 I have read this conversation again: {report.chunks} new summaries.{parked} `/summary show` shows them."
        case RegenerationState.SPENT:
            kept = f"{report.chunks} summaries are written and kept; " if report.chunks else ""
            return f"📖 The tokens that I may use are used up. {kept}I go on reading this conversation again once there are some."
        case RegenerationState.STOPPED:
            kept = f"{report.chunks} summaries are written and kept; " if report.chunks else ""
            return f"📖 I had trouble with my model while I read this conversation again. {kept}`/summary regenerate` goes on from there."
        case RegenerationState.BUSY:
            return "📖 Something else is being written about this conversation all the time. Try `/summary regenerate` again later."
