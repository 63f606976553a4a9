"""A TurnQueue within one process, on asyncio alone."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import structlog

from bot.domain.chat import ConversationKey
from bot.ports.clock import Clock
from bot.ports.queue import TakeTurns
from bot.ports.store import Transaction

FIRST_PAUSE = 1.0
"""Seconds before a conversation whose turn failed is looked at again; doubled each time."""
LONGEST_PAUSE = 30.0

log = structlog.get_logger(__name__)


class InProcessQueue:
    """Rings go to one task a conversation, which lives only while there is something to do."""

    def __init__(self, clock: Clock, *, parallel: int = 64) -> None:
        self._clock = clock
        self._places = asyncio.Semaphore(parallel)
        self._rings: asyncio.Queue[ConversationKey] = asyncio.Queue()
        self._running: set[ConversationKey] = set()
        self._again: set[ConversationKey] = set()
        self._listening: dict[ConversationKey, asyncio.Event] = {}
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def ring(self, conversation: ConversationKey) -> None:
        """Ask for a look at the conversation; returns at once."""
        if heard := self._listening.get(conversation):
            heard.set()
        if conversation in self._running:
            self._again.add(conversation)
            return
        self._running.add(conversation)
        self._quiet.clear()
        self._rings.put_nowait(conversation)

    async def ask(self, tx: Transaction, conversation: ConversationKey) -> None:
        """Ring after the commit."""
        tx.handover.afterwards(partial(self.ring, conversation))

    @contextmanager
    def rings(self, conversation: ConversationKey) -> Iterator[asyncio.Event]:
        """Give an event that every ring for the conversation sets; one listens at a time."""
        event = self._listening[conversation] = asyncio.Event()
        try:
            yield event
        finally:
            del self._listening[conversation]

    async def run(self, take_turns: TakeTurns) -> None:
        """Serve rings until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                conversation = await self._rings.get()
                tasks.create_task(self._serve(conversation, take_turns))

    async def idle(self) -> None:
        """Return when nothing is running and nothing is asked for."""
        await self._quiet.wait()

    async def _serve(self, conversation: ConversationKey, take_turns: TakeTurns) -> None:
        pause = FIRST_PAUSE
        self._again.add(conversation)
        while conversation in self._again:
            self._again.discard(conversation)
            if await self._look(conversation, take_turns):
                pause = FIRST_PAUSE
                continue
            self._again.add(conversation)
            await self._clock.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        self._running.discard(conversation)
        if not self._running:
            self._quiet.set()

    async def _look(self, conversation: ConversationKey, take_turns: TakeTurns) -> bool:
        """Take turns once; False when that failed."""
        try:
            async with self._places:
                await take_turns(conversation)
        except Exception:
            log.exception("turn_failed", platform=conversation.platform)
            return False
        return True
