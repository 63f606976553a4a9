"""Regenerations that people ask for in a chat: they go on in the background, and the chat is told how they ended."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import structlog

from bot.domain.chat import ConversationKey
from bot.domain.message import ReplyTarget
from bot.domain.persona import Persona
from bot.memory.past.regenerate import RegenerationReport, RegenerationState
from bot.memory.unremembered import post_unremembered
from bot.ports.clock import Clock
from bot.ports.model import ChatModel
from bot.ports.queue import TurnQueue
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
class _Request:
    persona: Persona
    model: ChatModel
    target: ReplyTarget
    chunk_tokens: int
    progress: Progress


class BackgroundRegenerations:
    """Regenerates while `run` runs, one at a time in a conversation. What is cut off by a stop goes on when it is asked for again."""

    def __init__(
        self,
        regeneration: Regenerates,
        model_of: Callable[[Persona], ChatModel | None],
        store: Store,
        clock: Clock,
        *,
        queue: TurnQueue,
        waits: Waits | None = None,
    ) -> None:
        """Take what it works with; `waits` is told where the rest is to be done once there are tokens again, and when."""
        self._regeneration = regeneration
        self._model_of = model_of
        self._store = store
        self._clock = clock
        self._queue = queue
        self._waits = waits
        self._requests: asyncio.Queue[_Request] = asyncio.Queue()
        self._going_on: dict[ConversationKey, Progress] = {}
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def run(self) -> None:
        """Serve what is asked for until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                tasks.create_task(self._serve(await self._requests.get()))

    async def idle(self) -> None:
        """Return when none goes on and none is asked for."""
        await self._quiet.wait()

    def can_summarise(self, persona: Persona) -> bool:
        """Say whether the persona has a model that can."""
        return self._model_of(persona) is not None

    def progress(self, conversation: ConversationKey) -> Progress | None:
        """Return how far the one that goes on there has come; None when none does."""
        return self._going_on.get(conversation)

    def begin(self, persona: Persona, target: ReplyTarget, *, chunk_tokens: int) -> bool:
        """Begin, or go on with one that was broken off; False while one goes on there, and without a model."""
        model = self._model_of(persona)
        if model is None or target.conversation in self._going_on:
            return False
        progress = self._going_on[target.conversation] = Progress()
        self._quiet.clear()
        self._requests.put_nowait(_Request(persona, model, target, chunk_tokens, progress))
        return True

    async def _serve(self, request: _Request) -> None:
        try:
            report = await self._regenerated(request)
            if report.until is not None and self._waits is not None:
                self._waits(request.target.conversation, report.until)
            await self._tell(request, told(report))
        except Exception:
            log.exception("regeneration_failed", platform=request.target.conversation.platform)
        finally:
            del self._going_on[request.target.conversation]
            if not self._going_on:
                self._quiet.set()

    async def _regenerated(self, request: _Request) -> RegenerationReport:
        """Regenerate as soon as nobody else writes about the conversation."""
        report = RegenerationReport(RegenerationState.BUSY)
        for _ in range(BUSY_TRIES):
            report = await self._regeneration.regenerate(
                request.target.conversation,
                request.persona,
                request.model,
                chunk_tokens=request.chunk_tokens,
                progress=request.progress,
            )
            if report.state is not RegenerationState.BUSY:
                break
            await self._clock.sleep(BUSY_PAUSE)
        return report

    async def _tell(self, request: _Request, text: str) -> None:
        target = ReplyTarget(request.target.conversation, request.target.kind)
        async with self._store.write() as tx:
            await post_unremembered(tx, target, request.persona, text, at=self._clock.now())
            await self._queue.ask(tx, target.conversation)


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
