"""Measure what a turn costs beside its model: `python -m benchmarks.turn`.

A whole bot on an SQLite file, with a platform that only records and a model that answers at once. For each number of memories it
plays turns in a direct chat, each from the message that comes in to the reply that is sent, and after each the background's work,
which no reply waits for. It prints CPU time of both, and how many statements and transactions they take.
"""

import argparse
import asyncio
import logging
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from uuid import uuid4

import structlog
from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine, event

from bot.app.app import App
from bot.app.world import World
from bot.domain.chat import ConversationKey
from bot.domain.memory import Level, Memory
from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, Usage
from bot.domain.persona import MemoryPolicy
from bot.llm.tokens import BpeTokens
from bot.nlp.extractor import make_extractor
from bot.ports.queue import TakeTurns
from bot.ports.store import Store, Transaction
from bot.testing.bot import a_world, running
from bot.testing.factories import ADA, a_scope, incoming
from bot.testing.platform import RecordingPlatform

SIZES = (10, 1_000, 10_000)
WARM_UP = 20
THINGS = ("cat", "bicycle", "piano", "garden", "recipe", "camera", "novel", "harbour", "violin", "sweater", "mountain", "teapot")
PLACES = ("Kyoto", "Lisbon", "Oslo", "Quito", "Dakar", "Leeds", "Turin", "Perth", "Hanoi", "Tunis")


class InstantModel:
    """A ChatModel that answers at once."""

    name = "instant"
    takes_tools = True
    takes_images = False

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return a short answer."""
        yield TextDelta("That sounds lovely, ")
        yield TextDelta("tell me more.")
        yield Usage("instant", len(request.messages), 8)
        yield Finished(FinishReason.STOP)

    async def close(self) -> None:
        """Do nothing."""


class HeldQueue:
    """A TurnQueue that keeps its rings until it is told to serve them."""

    def __init__(self) -> None:
        self._rung: set[ConversationKey] = set()
        self._ended = asyncio.Event()
        self._serve: TakeTurns | None = None

    async def ring(self, conversation: ConversationKey) -> None:
        """Keep the ring."""
        self._rung.add(conversation)

    async def ask(self, tx: Transaction, conversation: ConversationKey) -> None:
        """Keep the ring after the commit."""
        tx.handover.afterwards(partial(self.ring, conversation))

    def rings(self, conversation: ConversationKey) -> AbstractContextManager[asyncio.Event]:  # noqa: ARG002 - the port names it
        """Tell of no ring."""
        return nullcontext(asyncio.Event())

    async def run(self, take_turns: TakeTurns) -> None:
        """Take who serves, and wait until cancelled."""
        self._serve = take_turns
        await self._ended.wait()

    async def idle(self) -> None:
        """Serve what has rung."""
        while self._rung and self._serve is not None:
            await self._serve(self._rung.pop())


class Statements:
    """Counts what goes to the database."""

    def __init__(self) -> None:
        self.run = self.transactions = 0
        event.listen(Engine, "before_cursor_execute", self._on_run)
        event.listen(Engine, "begin", self._on_begin)

    def _on_run(self, _: object, __: object, statement: str, *___: object) -> None:
        self.run += not statement.startswith("BEGIN")  # which is counted as a transaction

    def _on_begin(self, _: object) -> None:
        self.transactions += 1


@dataclass(slots=True)
class Cost:
    """What one kind of work costs, each time: milliseconds of CPU and by the clock, statements with BEGIN, transactions."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    statements: list[float] = field(default_factory=list)
    transactions: list[float] = field(default_factory=list)

    @asynccontextmanager
    async def noted(self, counted: Statements) -> AsyncIterator[None]:
        """Note what the body costs."""
        run, begun = counted.run, counted.transactions
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        self.cpu.append((time.process_time() - cpu) * 1000)
        self.wall.append((time.perf_counter() - wall) * 1000)
        self.statements.append(counted.run - run)
        self.transactions.append(counted.transactions - begun)


def fact(number: int) -> str:
    """Return one of many different facts."""
    thing, place = THINGS[number % len(THINGS)], PLACES[number // len(THINGS) % len(PLACES)]
    return f"Ada bought {thing} number {number} in {place} and keeps it in room {number % 97}."


async def fill(store: Store, count: int) -> None:
    """Store that many memories of Ada's, the first of them working ones and the others deep."""
    scope = a_scope()
    now = incoming("").sent_at
    for start in range(0, count, 500):
        async with store.write() as tx:
            for number in range(start, min(start + 500, count)):
                reserved = await tx.memories.reserve_number(scope)
                level = Level.WORKING if number < MemoryPolicy().max_working else Level.DEEP
                await tx.memories.add(Memory(uuid4(), scope, reserved, fact(number), ADA, ADA, (), now, now, level=level))


async def play(app: App, background: HeldQueue, turns: int) -> tuple[Cost, Cost]:
    """Play turns one after the other; return what the replies cost, and what the background's work after each costs."""
    counted, reply, after = Statements(), Cost(), Cost()
    for number in range(WARM_UP + turns):
        if number == WARM_UP:
            reply, after = Cost(), Cost()
        message = incoming(f"Do you remember where I bought the {THINGS[number % len(THINGS)]}?", message_id=uuid4().hex)
        async with reply.noted(counted):
            await app.inbox.receive(message)
            await app.queue.idle()
        async with after.noted(counted):
            await background.idle()
    return reply, after


async def measure(memories: int, *, turns: int, nlp: bool, folder: Path) -> tuple[Cost, Cost]:
    """Return what replies cost with that many memories, and the background's work."""
    world: World = a_world(InstantModel(), [RecordingPlatform()], database=f"sqlite:///{folder}/{memories}-{nlp}.db")
    background = HeldQueue()
    world = replace(world, tokens=BpeTokens(), extractor=make_extractor(None if nlp else "none"), background=background)
    async with running(world) as app:
        await fill(app.store, memories)
        return await play(app, background, turns)


def percentile(values: Sequence[float], percent: int) -> str:
    """Return a percentile in milliseconds."""
    return f"{statistics.quantiles(values, n=100)[percent - 1]:.1f}"


def main() -> None:
    """Read the command line, measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turn", description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--memories", type=int, nargs="+", default=SIZES)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    heads = ("memories", "entities by", "work", "CPU p50", "CPU p95", "wall p50", "wall p95", "statements", "transactions")
    table = Table(*heads, title="One turn without its model, in ms")
    with tempfile.TemporaryDirectory() as folder:
        for nlp in (False, True):
            for size in given.memories:
                costs = asyncio.run(measure(size, turns=given.turns, nlp=nlp, folder=Path(folder)))
                for work, cost in zip(("reply", "background"), costs, strict=True):
                    times = [percentile(values, percent) for values in (cost.cpu, cost.wall) for percent in (50, 95)]
                    counts = [f"{statistics.median(values):.0f}" for values in (cost.statements, cost.transactions)]
                    table.add_row(f"{size:,}", "spaCy" if nlp else "rules", work, *times, *counts)
    Console().print(table)


if __name__ == "__main__":
    main()
