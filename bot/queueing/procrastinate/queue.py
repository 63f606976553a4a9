"""A TurnQueue over any number of processes."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta

import structlog
from procrastinate import BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.jobs import Job

from bot.domain.chat import ConversationKey, MemoryScope, parse_key, parse_scope
from bot.errors import DeliveryDelayed
from bot.ports.queue import DreamOfRun, LookAtScope, TakeTurns
from bot.ports.store import Transaction
from bot.ports.trail import on_turn, turn_here
from bot.queueing.procrastinate.asking import ASK, Lane, for_driver
from bot.queueing.procrastinate.engine import Engine
from bot.queueing.procrastinate.pacing import Pacing
from bot.queueing.procrastinate.signals import Signal

TURNS = Lane("turns", priority=20, ends_at_stop=True)
PAST = Lane("past", priority=10)
DREAMS = Lane("dreams", priority=6, most=4)
"""Those that somebody waits for."""
REGENERATIONS = Lane("regenerations", priority=4, most=20)
NIGHT = Lane("night", priority=0)

_ASK = for_driver(ASK)
_IDLE_PAUSE = 0.02
SPREAD = 1.5
"""Answers that wait for the same platform come back over a time half as long as the wait, and not all at once."""

log = structlog.get_logger(__name__)


class LetGo(Exception):
    """A look was ended because others may have it now."""


class BackOff(BaseRetryStrategy):
    """Repeats a look that failed, later each time, or whose answer has to wait. Its lock keeps other looks there away meanwhile."""

    def __init__(self, pacing: Pacing) -> None:
        self._pacing = pacing

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        """Return when to look again: at once where the look was cut off by a stop."""
        if not isinstance(exception, Exception) or isinstance(exception, LetGo):
            return RetryDecision()
        if isinstance(exception, DeliveryDelayed):
            pause = exception.retry_after * random.uniform(1.0, SPREAD)
        else:
            pause = min(self._pacing.first_pause * 2 ** min(job.attempts, 20), self._pacing.longest_pause)
        return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=pause))


class LaneQueue:
    """Work of one kind, told apart by texts. At most one look runs for a text at a time, wherever."""

    def __init__(self, engine: Engine, lane: Lane, *, parallel: int, listens: bool = True) -> None:
        """Take how many looks may run at once in this process; one that does not listen learns of new work a moment later."""
        self._engine = engine
        self._lane = lane
        self._parallel = parallel
        self._listens = listens
        self._look: Callable[[str], Awaitable[None]] | None = None
        self._running: set[asyncio.Timeout] = set()
        self._heard: dict[str, asyncio.Event] = {}
        engine.app.task(name=lane.name, queue=lane.name, retry=BackOff(engine.pacing), pass_context=True)(self._once)
        engine.jobs.let_go.append(self._let_go)
        engine.signals.hear(self._hear)

    async def ring_for(self, key: str) -> None:
        """Ask for a look."""
        await self._engine.execute(_ASK, self._lane.values(key, turn=turn_here()))

    async def ask_for(self, tx: Transaction, key: str) -> None:
        """Ask for a look with the commit of a transaction."""
        await tx.handover.run(ASK, self._lane.values(key, turn=turn_here()))

    async def is_asked_for(self, key: str) -> bool:
        """Say whether a look is asked for or under way, in any process."""
        return await self._engine.is_asked(self._lane, key)

    @contextmanager
    def hearing(self, key: str) -> Iterator[asyncio.Event]:
        """Give an event that every ring for the text sets."""
        event = self._heard[key] = asyncio.Event()
        try:
            yield event
        finally:
            del self._heard[key]

    async def serve(self, look: Callable[[str], Awaitable[None]]) -> None:
        """Look wherever it is asked for until cancelled."""
        self._look = look
        await self._engine.work(self._lane, parallel=self._parallel, listens=self._listens)

    async def idle(self) -> None:
        """Return when nothing is running and nothing is asked for, in any process."""
        while True:
            if not await self._engine.left(self._lane):
                return
            await asyncio.sleep(_IDLE_PAUSE)

    async def _once(self, context: JobContext, key: str, turn: int = 0) -> None:
        """Look once. Whatever is raised here leads to another look."""
        if self._look is None:
            raise LetGo
        if self._lane.most and context.job.attempts >= self._lane.most:
            log.error("look_given_up", lane=self._lane.name, attempts=context.job.attempts)
            return
        scope = asyncio.timeout(None)
        self._running.add(scope)
        try:
            with on_turn(turn):
                async with scope:
                    await self._look(key)
        except TimeoutError:
            if not scope.expired():
                log.exception("look_failed", lane=self._lane.name)
                raise
            raise LetGo from None
        except DeliveryDelayed:
            raise
        except Exception:
            log.exception("look_failed", lane=self._lane.name)
            raise
        finally:
            self._running.discard(scope)

    def _let_go(self) -> None:
        """End all looks: others may have them soon. One that is ending is left to that."""
        now = asyncio.get_running_loop().time()
        while self._running:
            self._running.pop().reschedule(now)

    async def _hear(self, signal: Signal) -> None:
        if event := self._heard.get(self._lane.key(signal.get("ring", ""))):
            event.set()


class ProcrastinateQueue:
    """Fulfils `bot.ports.queue.AskedQueue` on PostgreSQL."""

    def __init__(self, engine: Engine, lane: Lane, *, parallel: int = 64, listens: bool = True) -> None:
        self._queue = LaneQueue(engine, lane, parallel=parallel, listens=listens)

    async def ring(self, conversation: ConversationKey) -> None:
        """Ask for a look at the conversation."""
        await self._queue.ring_for(str(conversation))

    async def ask(self, tx: Transaction, conversation: ConversationKey) -> None:
        """Ask for it with the commit of a transaction."""
        await self._queue.ask_for(tx, str(conversation))

    async def is_asked(self, conversation: ConversationKey) -> bool:
        """Say whether a look is asked for or under way, in any process."""
        return await self._queue.is_asked_for(str(conversation))

    def rings(self, conversation: ConversationKey) -> AbstractContextManager[asyncio.Event]:
        """Give an event that rings for the conversation set, wherever they come from."""
        return self._queue.hearing(str(conversation))

    async def run(self, take_turns: TakeTurns) -> None:
        """Serve rings until cancelled."""
        await self._queue.serve(lambda key: take_turns(parse_key(key)))

    async def idle(self) -> None:
        """Return when nothing is running and nothing is asked for."""
        await self._queue.idle()


class ProcrastinateScopes:
    """Fulfils `bot.ports.queue.ScopeQueue` on PostgreSQL."""

    def __init__(self, engine: Engine, lane: Lane, *, parallel: int = 1) -> None:
        self._queue = LaneQueue(engine, lane, parallel=parallel, listens=False)

    async def ring(self, scope: MemoryScope) -> None:
        """Ask for a look at the scope."""
        await self._queue.ring_for(str(scope))

    async def run(self, look: LookAtScope) -> None:
        """Serve rings until cancelled."""
        await self._queue.serve(lambda key: look(parse_scope(key)))

    async def idle(self) -> None:
        """Return when nothing is running and nothing is asked for."""
        await self._queue.idle()


class ProcrastinateDreams:
    """Fulfils `bot.ports.queue.DreamQueue` on PostgreSQL."""

    def __init__(self, engine: Engine, lane: Lane, *, parallel: int = 2) -> None:
        self._queue = LaneQueue(engine, lane, parallel=parallel, listens=False)

    async def ring(self, run: str, scope: MemoryScope) -> None:
        """Ask for the dream."""
        await self._queue.ring_for(f"{run} {scope}")

    async def is_asked(self, run: str, scope: MemoryScope) -> bool:
        """Say whether it is asked for or under way, in any process."""
        return await self._queue.is_asked_for(f"{run} {scope}")

    async def run(self, dream: DreamOfRun) -> None:
        """Serve rings until cancelled."""

        async def look(key: str) -> None:
            run, _, scope = key.partition(" ")
            await dream(run, parse_scope(scope))

        await self._queue.serve(look)
