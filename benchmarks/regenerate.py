"""Measure a regeneration: `python -m benchmarks.regenerate`.

A conversation of 10,000 messages is summarised anew with a model that answers at once: seconds, peak memory, and proof that each message
stands in exactly one chunk. Then the same once more with a kill in the middle, which must leave the same.
"""

import argparse
import asyncio
import json
import logging
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from bot.domain.message import MessageState, ReplyTarget
from bot.domain.model import ChatRequest, ModelEvent
from bot.domain.past import ChunkState
from bot.domain.persona import MemoryPolicy
from bot.llm.tokens import BpeTokens
from bot.memory.past.lease import release_dead
from bot.memory.past.regenerate import Regeneration
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import ADA, BO, GROUP, a_persona, incoming, kind_of
from bot.testing.scribe import Scribe

MESSAGES = 10_000
CHUNK_TOKENS = 1500
PERSONA = replace(a_persona(), memory=MemoryPolicy(chunk_lookback=0))
"""No message is left to wait, so that all of them can be counted."""
SUBJECTS = ("the garden", "a trip to Kyoto", "the new cat Mochi", "work at the harbour", "a marathon in May", "猫と京都の話")


@dataclass(frozen=True, slots=True)
class Figures:
    """What a regeneration took and left."""

    state: str
    chunks: int
    parked: int
    calls: int
    seconds: float
    peak_mb: float
    grown_mb: float
    """What the peak grew by while it went on."""
    tally: Sequence[int]
    """How many messages stand in no chunk, in one, in more."""


async def talk(store: SqlStore, count: int) -> None:
    """Store a conversation of three: two people and the persona."""
    target = ReplyTarget(GROUP, kind_of(GROUP))
    for start in range(0, count, 500):
        async with store.write() as tx:
            for number in range(start, min(start + 500, count)):
                at = START + timedelta(minutes=5 * number)
                text = f"Number {number} is about {SUBJECTS[number % len(SUBJECTS)]}. " + "So much can be said of it. " * (number % 7)
                if number % 3 == 2:
                    await tx.messages.record_reply(target, "iris", "Iris", text, at=at)
                    continue
                message = incoming(text, message_id=f"m{number}", author=(ADA, BO)[number % 2], conversation=GROUP, sent_at=at)
                await tx.messages.record(message, MessageState.DONE)


async def tally(store: SqlStore) -> Sequence[int]:
    """Return how many messages stand in no chunk, in one, and in more, and check that each chunk's summary was made of all of its own."""
    async with store.read() as tx:
        state = await tx.pasts.state(GROUP)
        chunks = await tx.pasts.chunks(GROUP, state.generation, states=(ChunkState.DONE,), limit=100_000)
        rows = [message.id for message in await tx.messages.page(GROUP, limit=1_000_000)]
    covers: Counter[int] = Counter()
    for chunk in chunks:
        inside = [row for row in rows if chunk.first_row <= row <= chunk.last_row]
        assert len(inside) == chunk.messages == len(chunk.summary.splitlines())
        covers.update(inside)
    assert list(covers) == rows
    counts = Counter(covers[row] for row in rows)
    return counts[0], counts[1], len(rows) - counts[0] - counts[1]


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqlStore]:
    """Give the store of a file."""
    store = SqlStore(f"sqlite:///{path}")
    await store.open()
    yield store
    await store.close()


class Forgetful(Scribe):
    """A scribe that keeps no prompts, so that the peak is the product's own; at a certain question the process is killed."""

    def __init__(self, kill_at: int = 0) -> None:
        super().__init__()
        self.calls = 0
        self._kill_at = kill_at

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the answer to a question."""
        self.calls += 1
        if self.calls == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        async for event in super().stream(request):
            yield event
        self.prompts.clear()


async def measured(path: Path, kill_at: int) -> Figures:
    """Regenerate and measure."""
    async with opened(path) as store:
        await release_dead(store)
        tokens = BpeTokens()
        tokens.count("The first count loads the encoding.")
        before, scribe, began = peak_mb(), Forgetful(kill_at), time.perf_counter()
        report = await Regeneration(store, FrozenClock(), tokens).regenerate(GROUP, PERSONA, scribe, chunk_tokens=CHUNK_TOKENS)
        seconds, peak = time.perf_counter() - began, peak_mb()
        return Figures(report.state, report.chunks, report.parked, scribe.calls, seconds, peak, peak - before, await tally(store))


def peak_mb() -> float:
    """Return the most memory that this process has ever used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_a_process(path: Path, kill_at: int = 0) -> Figures | None:
    """Return the figures of a regeneration in a process of its own; None when it was killed."""
    command = [sys.executable, "-m", "benchmarks.regenerate", "--file", str(path), "--kill-at", str(kill_at)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - it is this module
    if kill_at:
        assert process.returncode == -signal.SIGKILL
        return None
    if process.returncode:
        sys.exit(process.stderr)
    return Figures(**json.loads(process.stdout))


def rows(figures: Sequence[Figures]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of the table."""
    yield "state", *(each.state for each in figures)
    yield "chunks, parked", *(f"{each.chunks}, {each.parked}" for each in figures)
    yield "questions to the model", *(str(each.calls) for each in figures)
    yield "seconds", *(f"{each.seconds:.1f}" for each in figures)
    yield "peak memory, MB", *(f"{each.peak_mb:.0f}" for each in figures)
    yield "of it for the regeneration, MB", *(f"{each.grown_mb:.0f}" for each in figures)
    yield "messages that stand in 0 / 1 / more chunks", *("{} / {} / {}".format(*each.tally) for each in figures)


async def compare(count: int, console: Console) -> None:
    """Measure one regeneration at a stretch, and one that is killed in the middle and goes on."""
    with tempfile.TemporaryDirectory() as folder:
        whole, torn = Path(folder) / "whole.db", Path(folder) / "torn.db"
        for path in (whole, torn):
            async with opened(path) as store:
                await talk(store, count)
        figures = in_a_process(whole)
        assert figures is not None
        in_a_process(torn, kill_at=figures.calls // 2)
        after = in_a_process(torn)
        assert after is not None
    table = Table("", "at a stretch", "after a kill in the middle", title=f"{count:,} messages, chunks of {CHUNK_TOKENS:,} tokens")
    for row in rows((figures, after)):
        table.add_row(*row)
    console.print(table)


def main() -> None:
    """Measure, or do one step of it."""
    parser = argparse.ArgumentParser(description="Measure a regeneration.")
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--file", type=Path, help="regenerate the conversation in this file and print the figures")
    parser.add_argument("--kill-at", type=int, default=0, help="the question at which the process is killed")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    if options.file is None:
        asyncio.run(compare(options.messages, Console()))
    else:
        print(json.dumps(asdict(asyncio.run(measured(options.file, options.kill_at)))))


if __name__ == "__main__":
    main()
