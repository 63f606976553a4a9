"""Processes on one database, in one process."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from urllib.parse import quote

import psycopg
import pytest

from bot.domain.chat import ConversationKey
from bot.ports.queue import TakeTurns
from bot.queueing.procrastinate.engine import Engine
from bot.queueing.procrastinate.pacing import Pacing
from bot.queueing.procrastinate.queue import TURNS, ProcrastinateQueue

HERE = ConversationKey("discord", "10", "20")
THERE = ConversationKey("discord", "10", "21")
QUICK = Pacing(poll=0.05, heartbeat=0.1, dead_after=1.0, rescue=0.05, let_go_after=0.5, grace=0.1, first_pause=0.02)


@dataclass
class Process:
    """One of them."""

    engine: Engine
    queue: ProcrastinateQueue
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def begin(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        self.tasks.append(asyncio.create_task(work))
        return self.tasks[-1]

    def serve(self, look: TakeTurns) -> asyncio.Task[None]:
        """Begin to take turns, and to do what dead ones have left."""
        self.begin(self.engine.rescue())
        return self.begin(self.queue.run(look))

    async def stop(self) -> None:
        for task in self.tasks:
            if not task.cancelling():  # a second time would cut its end short
                task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.engine.close()


class Cluster:
    """All of them, and their database."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url = url
        self._stack = stack

    async def process(self, pacing: Pacing = QUICK, *, setting: str = "") -> Process:
        """Start one more, for which a setting of the database is another one if there is one."""
        url = f"{self.url}{'&' if '?' in self.url else '?'}options=-c{quote(setting)}" if setting else self.url
        engine = Engine(url, pacing=pacing)
        await engine.open()
        process = Process(engine, ProcrastinateQueue(engine, TURNS))
        process.begin(engine.run())
        self._stack.push_async_callback(process.stop)
        return process

    def sql(self, statement: str) -> list[tuple[object, ...]]:
        """Run a statement from outside."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture
async def cluster(postgres_url: str) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack, asyncio.timeout(15):
        yield Cluster(postgres_url, stack)
