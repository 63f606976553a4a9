"""Measure dreams: `python -m benchmarks.dream`.

First a dream about 2,000 memories with a model that is scripted: what it asks, what that costs, and whether undo gives back every row
byte by byte. Then 10,000 memories without a model, while somebody chats: seconds of decay and dream, and what a reply waits longer.
"""

import argparse
import asyncio
import json
import logging
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from uuid import uuid4

import structlog
from rich.console import Console
from rich.table import Table

from benchmarks.turn import InstantModel, fact
from bot.app.app import App
from bot.domain.memory import Level, Memory
from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta
from bot.domain.persona import MemoryPolicy, Persona
from bot.llm.tokens import BpeTokens
from bot.memory.decay import decay
from bot.memory.dreams.dream import Dream, DreamReport
from bot.memory.dreams.past import undo
from bot.ports.store import Store
from bot.storage.store import SqlStore
from bot.testing.bot import a_world, running
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import ADA, a_persona, a_scope, incoming
from bot.testing.platform import RecordingPlatform

DAY = timedelta(days=1)
WITH_MODEL, WITHOUT_MODEL = 2_000, 10_000
TURNS = 40
FAST = MemoryPolicy(decay_per_day=0.05)
SHOWN = re.compile(r'<memory number="(\d+)" written="\w+ ([\d-]+)"[^>]*>(.*?)</memory>')


class TidyModel:
    """A ChatModel that finds what there is to find, at once: it keeps every other faint memory, and dates what is relative."""

    name = "tidy"
    takes_tools = False
    takes_images = False

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return a whole and fitting answer."""
        yield TextDelta(self._answer(request))
        yield Finished(FinishReason.STOP)

    def _answer(self, request: ChatRequest) -> str:
        shown = [(int(number), date.fromisoformat(day), text) for number, day, text in SHOWN.findall(request.text)]
        if not shown:
            return "I walked through a long house. Some rooms were empty when I left."
        if '"keep"' in request.messages[0].text:
            numbers = [number for number, _, _ in shown]
            return json.dumps({"keep": numbers[::2], "drop": numbers[1::2]})
        relative = [(number, day + DAY, text) for number, day, text in shown if "tomorrow" in text]
        dated = [{"number": number, "text": text.replace("tomorrow", f"on {day}")} for number, day, text in relative]
        return json.dumps({"same": [], "ended": [], "dated": dated})

    async def close(self) -> None:
        """Do nothing."""


def remembered(count: int) -> Iterator[Memory]:
    """Yield memories of all kinds: used, repeated in other words, faint, with a relative date, and most of them plain."""
    scope = a_scope()
    for number in range(1, count + 1):
        at = START - DAY * (number % 9)
        memory = Memory(uuid4(), scope, number, fact(number), ADA, ADA, (number,), at, at, Level.DEEP, 0.6, START - DAY)
        match number % 20:
            case 0:
                yield replace(memory, level=Level.WORKING, uses=number % 5 + 1, used_at=START - DAY)
            case 1:
                yield replace(memory, text=f"Ada {'loves' if number % 40 == 1 else 'is fond of'} dish {number // 40}")
            case 2:
                yield replace(memory, level=Level.ARCHIVE, importance=0.01, created_at=START - 90 * DAY, updated_at=START - 90 * DAY)
            case 3:
                yield replace(memory, text=f"Ada meets friend {number} tomorrow", created_at=at - 30 * DAY, updated_at=at - 30 * DAY)
            case _:
                yield memory


async def fill(store: Store, memories: Iterator[Memory] | Sequence[Memory]) -> None:
    """Store memories."""
    kept = list(memories)
    for start in range(0, len(kept), 500):
        async with store.write() as tx:
            for memory in kept[start : start + 500]:
                await tx.memories.add(memory)


def rows_of(path: Path) -> list[tuple[object, ...]]:
    """Return the memories' rows as they are in the file, without the running number of the row itself."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM memories ORDER BY number")]
    return [tuple(value for name, value in row.items() if name != "id") for row in rows]


async def dream_with_model(folder: Path) -> tuple[DreamReport, float, bool]:
    """Return the report, the seconds of its undo, and whether all rows are as before then."""
    path, clock = folder / "model.db", FrozenClock()
    store = SqlStore(f"sqlite:///{path}")
    await store.open()
    await fill(store, remembered(WITH_MODEL))
    before = rows_of(path)
    report = await Dream(store, clock, BpeTokens(), a_persona(), a_scope(), model=TidyModel()).dream()
    changed = rows_of(path) != before
    begun = time.perf_counter()
    await undo(store, report.record.run, at=clock.now())
    seconds = time.perf_counter() - begun
    equal = rows_of(path) == before
    await store.close()
    return report, seconds, changed and equal


@dataclass(frozen=True, slots=True)
class BesideChat:
    """What a night costs, and what it costs those who chat meanwhile. Milliseconds a reply."""

    decayed: int
    decay_seconds: float
    report: DreamReport
    alone: Sequence[float]
    meanwhile: Sequence[float]


async def dream_beside_chat(folder: Path) -> BesideChat:
    """Let ten thousand memories of all strengths fade and be dreamt about while somebody chats."""
    clock, scope = FrozenClock(), a_scope()
    world = a_world(InstantModel(), [RecordingPlatform()], database=f"sqlite:///{folder}/chat.db", clock=clock)
    at = START - 2 * DAY
    memories = [
        Memory(uuid4(), scope, n, fact(n), ADA, ADA, (), at, at, Level.DEEP, n % 100 / 100, START - DAY)
        for n in range(1, WITHOUT_MODEL + 1)
    ]
    async with running(replace(world, tokens=BpeTokens())) as app:
        await fill(app.store, memories)
        alone = [await reply_time(app) for _ in range(TURNS)]
        begun = time.perf_counter()
        decayed = await decay(app.store, scope, FAST, at=clock.now())
        seconds = time.perf_counter() - begun
        persona: Persona = replace(a_persona(), memory=FAST)
        dreaming = asyncio.create_task(Dream(app.store, clock, BpeTokens(), persona, scope).dream())
        meanwhile: list[float] = []
        while not dreaming.done():
            meanwhile.append(await reply_time(app))
        return BesideChat(decayed, seconds, await dreaming, alone, meanwhile)


async def reply_time(app: App) -> float:
    """Return how many milliseconds a reply takes."""
    begun = time.perf_counter()
    await app.inbox.receive(incoming("Do you remember where I bought the cat?", message_id=uuid4().hex))
    await app.queue.idle()
    return (time.perf_counter() - begun) * 1000


def percentiles(values: Sequence[float]) -> str:
    """Return median and 95th percentile."""
    return f"{statistics.median(values):.1f} / {statistics.quantiles(values, n=20)[-1]:.1f} ms"


def counted(report: DreamReport) -> str:
    """Return what a dream did."""
    names = ("decayed", "reinforced", "promoted", "merged", "crowded_out", "retained_by_dreamer", "forgotten", "ended", "rewritten")
    return ", ".join(f"{report.counts[name]} {name}" for name in names if report.counts[name])


def main() -> None:
    """Read the command line, measure, and print a table."""
    argparse.ArgumentParser(prog="python -m benchmarks.dream", description=__doc__).parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory() as folder:
        report, undo_seconds, equal = asyncio.run(dream_with_model(Path(folder)))
        beside = asyncio.run(dream_beside_chat(Path(folder)))
    table = Table("", "", title="Dreams on SQLite", show_header=False)
    table.add_row(f"{WITH_MODEL:,} memories, scripted model", f"{report.record.state}: {counted(report)}")
    table.add_row("calls, tokens", f"{report.counts['calls']}, {report.counts['tokens']:,}")
    table.add_row("seconds", f"{report.duration_seconds:.2f}")
    table.add_row("undo", f"{undo_seconds:.2f} s, rows {'byte-equal' if equal else 'DIFFERENT'}", end_section=True)
    table.add_row(f"{WITHOUT_MODEL:,} memories, no model", f"{beside.report.record.state}: {counted(beside.report)}")
    table.add_row("decay", f"{beside.decay_seconds:.2f} s, {beside.decayed:,} rows moved")
    table.add_row("dream, beside a chat", f"{beside.report.duration_seconds:.2f} s")
    table.add_row("a reply alone, p50 / p95", percentiles(beside.alone))
    table.add_row("a reply during the dream", f"{percentiles(beside.meanwhile)}, {len(beside.meanwhile)} replies")
    Console().print(table)


if __name__ == "__main__":
    main()
