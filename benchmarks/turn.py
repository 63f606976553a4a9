"""Measure what a turn costs beside its model: `python -m benchmarks.turn`.

A whole bot on an SQLite file, with a platform that only records and a model that answers at once. For each number of memories it
plays turns in a direct chat, each from the message that comes in to the reply that is sent, and prints CPU and wall time.
"""

import argparse
import asyncio
import logging
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import structlog
from rich.console import Console
from rich.table import Table

from bot.app.app import App
from bot.app.world import World
from bot.domain.memory import Level, Memory
from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, Usage
from bot.domain.persona import MemoryPolicy
from bot.llm.tokens import BpeTokens
from bot.nlp.extractor import make_extractor
from bot.ports.store import Store
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

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return a short answer."""
        yield TextDelta("That sounds lovely, ")
        yield TextDelta("tell me more.")
        yield Usage("instant", len(request.messages), 8)
        yield Finished(FinishReason.STOP)

    async def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What turns cost, in milliseconds each."""

    cpu: Sequence[float]
    wall: Sequence[float]


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


async def play(app: App, turns: int) -> Cost:
    """Play turns one after the other and return what each of them cost."""
    cpu, wall = [], []
    for number in range(WARM_UP + turns):
        message = incoming(f"Do you remember where I bought the {THINGS[number % len(THINGS)]}?", message_id=uuid4().hex)
        cpu_before, wall_before = time.process_time(), time.perf_counter()
        await app.inbox.receive(message)
        await app.queue.idle()
        cpu.append((time.process_time() - cpu_before) * 1000)
        wall.append((time.perf_counter() - wall_before) * 1000)
    return Cost(cpu[WARM_UP:], wall[WARM_UP:])


async def measure(memories: int, *, turns: int, nlp: bool, folder: Path) -> Cost:
    """Return what a turn costs with that many memories."""
    world: World = a_world(InstantModel(), [RecordingPlatform()], database=f"sqlite:///{folder}/{memories}-{nlp}.db")
    world = replace(world, tokens=BpeTokens(), extractor=make_extractor(None if nlp else "none"))
    async with running(world) as app:
        await fill(app.store, memories)
        return await play(app, turns)


def percentile(values: Sequence[float], percent: int) -> str:
    """Return a percentile in milliseconds."""
    return f"{statistics.quantiles(values, n=100)[percent - 1]:.1f}"


def main() -> None:
    """Read the command line, measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turn", description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    table = Table("memories", "entities by", "CPU p50", "CPU p95", "wall p50", "wall p95", title="One turn without its model, in ms")
    with tempfile.TemporaryDirectory() as folder:
        for nlp in (False, True):
            for size in SIZES:
                cost = asyncio.run(measure(size, turns=given.turns, nlp=nlp, folder=Path(folder)))
                figures = [percentile(values, percent) for values in (cost.cpu, cost.wall) for percent in (50, 95)]
                table.add_row(f"{size:,}", "spaCy" if nlp else "rules", *figures)
    Console().print(table)


if __name__ == "__main__":
    main()
