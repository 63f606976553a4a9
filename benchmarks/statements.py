"""Show all that one message asks of the database: `python -m benchmarks.statements`.

A whole bot, with a platform that only records and a model that answers at once, hears messages in a group that are addressed to it.
After some to warm up, the statements of one are printed in order, by the transactions that they belong to; then what the messages
after it cost, with CPU. `--postgresql` does it on a server of its own, `--profile` says in which functions the time goes, `--brief`
leaves out the statements.
"""

import argparse
import asyncio
import cProfile
import logging
import pstats
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import uuid4

import structlog
from rich.console import Console
from sqlalchemy import Connection, Engine, event

from benchmarks.server import PostgresHere, postgres_here
from benchmarks.turn import Cost, HeldQueue, InstantModel, Statements
from bot.app.app import App
from bot.llm.tokens import BpeTokens
from bot.nlp.extractor import make_extractor
from bot.testing.bot import a_world, running
from bot.testing.factories import GROUP, incoming
from bot.testing.platform import RecordingPlatform

WARM_UP = 20
TOLD = "I met Zara at the harbour of Lisbon and she lent me her camera, number {}."
WIDEST = 150


@dataclass
class Trace:
    """Notes the statements of each transaction."""

    transactions: list[tuple[str, list[str]]] = field(default_factory=list)
    headings: int = 0
    _now: dict[int, list[str]] = field(default_factory=dict)

    def head(self, heading: str) -> None:
        """Put a line above those that follow."""
        self.headings += 1
        self.transactions.append((f"— {heading} —", []))

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note as long as the context is open."""
        event.listen(Engine, "begin", self._on_begin)
        event.listen(Engine, "before_cursor_execute", self._on_run)
        yield
        event.remove(Engine, "begin", self._on_begin)
        event.remove(Engine, "before_cursor_execute", self._on_run)

    def _on_begin(self, connection: Connection) -> None:
        statements: list[str] = []
        self._now[id(connection)] = statements
        self.transactions.append((f"transaction {len(self.transactions) - self.headings + 1}", statements))

    def _on_run(self, connection: Connection, _: object, statement: str, *__: object) -> None:
        if not statement.startswith("BEGIN"):
            self._now.get(id(connection), []).append(" ".join(statement.split()))


async def measure(url: str, *, messages: int, trace: Trace, profile: cProfile.Profile | None, server: PostgresHere | None) -> str:
    """Play the messages; return what they cost."""
    background = HeldQueue()
    world = a_world(InstantModel(), [RecordingPlatform()], database=url)
    world = replace(world, tokens=BpeTokens(), extractor=make_extractor("none"), background=background)
    async with running(world) as app:
        await _play(app, background, WARM_UP)
        with trace.noting():
            trace.head("reply")
            await _say(app, 0)
            trace.head("background")
            await background.idle()
        before = server.cpu() if server else 0.0
        with profile or nullcontext():
            reply, after = await _play(app, background, messages)
        spent = (server.cpu() - before) * 1000 / messages if server else 0.0
    lines = [f"{name}: {_told(cost)}" for name, cost in (("reply", reply), ("background", after))]
    return "\n".join([*lines, f"the server's CPU a message: {spent:.1f} ms"] if server else lines)


async def _play(app: App, background: HeldQueue, messages: int) -> tuple[Cost, Cost]:
    counted, reply, after = Statements(), Cost(), Cost()
    for number in range(messages):
        async with reply.noted(counted):
            await _say(app, number)
        async with after.noted(counted):
            await background.idle()
    return reply, after


async def _say(app: App, number: int) -> None:
    await app.inbox.receive(incoming(TOLD.format(number), message_id=uuid4().hex, conversation=GROUP))
    await app.queue.idle()


def _told(cost: Cost) -> str:
    counts = f"{statistics.mean(cost.statements):.1f} statements in {statistics.mean(cost.transactions):.1f} transactions"
    return f"{counts}, CPU {statistics.median(cost.cpu):.1f} ms, {statistics.median(cost.wall):.1f} ms by the clock"


def main() -> None:
    """Read the command line, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.statements", description=__doc__)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--messages", type=int, default=100)
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    trace, profile, console = Trace(), cProfile.Profile() if given.profile else None, Console(width=WIDEST, highlight=False)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        server = stack.enter_context(postgres_here(folder / "server")) if given.postgresql else None
        url = server.url if server else f"sqlite:///{folder}/baku.db"
        told = asyncio.run(measure(url, messages=given.messages, trace=trace, profile=profile, server=server))
    for callers, statements in [] if given.brief else trace.transactions:
        console.print(callers, style="bold", markup=False)
        for statement in statements:
            console.print(f"    {statement[:WIDEST]}", markup=False, no_wrap=True, overflow="ellipsis")
    console.print(told, markup=False)
    if profile is not None:
        pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(50)


if __name__ == "__main__":
    main()
