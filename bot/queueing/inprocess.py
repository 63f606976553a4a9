"""A TurnQueue within one process, on asyncio alone."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import structlog

from bot.domain.chat import ConversationKey
from bot.errors import DeliveryDelayed
from bot.ports.clock import Clock
from bot.ports.ending import heed_lost_cancellation
from bot.ports.queue import TakeTurns
from bot.ports.store import Transaction
from bot.ports.trail import on_turn, turn_here

FIRST_PAUSE = 1.0
"""Seconds before a conversation whose turn failed is looked at again; doubled each time."""
LONGEST_PAUSE = 30.0
MOST_TURNS = 256
"""Conversations of a platform whose turns are taken at the same time. Most of them wait for a model, and hold nothing meanwhile."""
MOST_WAITING = 10_000
"""Conversations of a platform that are known to wait; the store alone knows those beyond, and is asked when there is room."""

log = structlog.get_logger(__name__)


class InProcessQueue:
    """Rings go to one task a conversation, which lives only while there is something to do.

    Fulfils `bot.ports.queue.AskedQueue` and `Bounded`, too.
    """

    def __init__(self, clock: Clock, *, parallel: int = MOST_TURNS, most: int = MOST_WAITING) -> None:
        self._clock = clock
        self._most = most
        self._dropped: set[str] = set()
        """The platforms of which rings were dropped."""
        self._has_room_again = asyncio.Event()
        self._turns: dict[ConversationKey, int] = {}
        """By which turn a conversation was rung for last, so that the log can tell."""
        self._places: defaultdict[str, asyncio.Semaphore] = defaultdict(partial(asyncio.Semaphore, parallel))
        """By platform: replies that wait for one that is out of reach keep no other's from being written."""
        self._rings: asyncio.Queue[ConversationKey] = asyncio.Queue()
        self._running: defaultdict[str, set[ConversationKey]] = defaultdict(set)
        """By platform, as the places are."""
        self._again: set[ConversationKey] = set()
        self._listening: dict[ConversationKey, asyncio.Event] = {}
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def ring(self, conversation: ConversationKey) -> None:
        """Ask for a look at the conversation; returns at once."""
        if heard := self._listening.get(conversation):
            heard.set()
        running = self._running[conversation.platform]
        if conversation in running:
            self._again.add(conversation)
            self._remember_turn(conversation)
            return
        if len(running) >= self._most:
            self._dropped.add(conversation.platform)
            return
        self._remember_turn(conversation)
        running.add(conversation)
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

    async def room_again(self) -> None:
        """Return when rings were dropped and half of the room is free."""
        await self._has_room_again.wait()
        self._has_room_again.clear()

    async def run(self, take_turns: TakeTurns) -> None:
        """Serve rings until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                conversation = await self._rings.get()
                tasks.create_task(self._serve(conversation, take_turns))

    async def is_asked(self, conversation: ConversationKey) -> bool:
        """Say whether a look is asked for or under way."""
        return conversation in self._running[conversation.platform]

    async def idle(self) -> None:
        """Return when nothing is running and nothing is asked for."""
        await self._quiet.wait()

    async def _serve(self, conversation: ConversationKey, take_turns: TakeTurns) -> None:
        pause = FIRST_PAUSE
        self._again.add(conversation)
        while conversation in self._again:
            self._again.discard(conversation)
            try:
                is_done = await self._look(conversation, take_turns)
            except DeliveryDelayed as delay:
                self._again.add(conversation)
                await self._clock.sleep(delay.retry_after)
                continue
            if is_done:
                pause = FIRST_PAUSE
                continue
            self._again.add(conversation)
            await self._clock.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        self._running[conversation.platform].discard(conversation)
        if conversation.platform in self._dropped and len(self._running[conversation.platform]) <= self._most // 2:
            self._dropped.remove(conversation.platform)
            self._has_room_again.set()
        if not any(self._running.values()):
            self._quiet.set()

    async def _look(self, conversation: ConversationKey, take_turns: TakeTurns) -> bool:
        """Take turns once; False when that failed. Raises DeliveryDelayed when what comes of it has to wait."""
        with on_turn(self._turns.pop(conversation, 0)):
            try:
                async with self._places[conversation.platform]:
                    await take_turns(conversation)
            except DeliveryDelayed:
                raise
            except Exception:
                log.exception("turn_failed", platform=conversation.platform)
                heed_lost_cancellation()
                return False
        return True

    def _remember_turn(self, conversation: ConversationKey) -> None:
        if row := turn_here():
            self._turns[conversation] = row
