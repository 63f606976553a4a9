"""Many processes on one database: `python -m benchmarks.cluster`.

Half of the conversations are Discord channels, half private chats on Telegram; all are emulators in this process, as is a model that
takes 300 ms. First everybody writes again as soon as the answer is there, which tells how many messages a second get through and what
one costs; then messages come at a steady rate, which tells what the way over queue and database adds to the model's time. Once with
all roles in one process on a file, then with a gateway for each platform, a scheduler, and 1, 2 and 4 workers on PostgreSQL.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.fanout import DISCORD, PATIENCE, PRIVATE, Bot, PacedModel, Stage, all_answered, still
from benchmarks.server import PostgresHere, postgres_here
from bot.cli.progress import progress_shown

MODEL_SECONDS = 0.3
SETTINGS = {
    "BAKU_EMBEDDER": "none",
    "BAKU_SPACY_MODEL": "none",
    "BAKU_DISCORD_REQUESTS_PER_SECOND": "10000",
    "BAKU_TELEGRAM_MESSAGES_PER_SECOND": "10000",
}
"""What the platforms would allow is not what is measured here."""


@dataclass
class Processes:
    """The bot's processes."""

    environment: Mapping[str, str]
    log: Path
    running: list[asyncio.subprocess.Process] = field(default_factory=list)

    async def start(self, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
        """Start one more."""
        environment = {**self.environment, **settings}
        with self.log.open("ab") as sink:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", *arguments, env=environment, stderr=sink, stdout=sink
            )
        self.running.append(process)
        return process

    async def stop(self) -> None:
        """End all, politely."""
        for process in self.running:
            with suppress(ProcessLookupError):  # it has ended by itself
                process.terminate()
        await asyncio.gather(*(process.wait() for process in self.running))

    def cpu(self) -> float:
        """Return the seconds of CPU that all have used."""
        return sum(Bot(process.pid).cpu() for process in self.running)


@dataclass(frozen=True, slots=True)
class Found:
    """What one constellation showed."""

    name: str
    messages: int
    lost: int
    rate: float
    cpu: float
    """Milliseconds a message, of the bot's processes."""
    server_cpu: float
    """Milliseconds a message, of PostgreSQL."""
    calm: Sequence[float]
    """Milliseconds beyond the model's, of each answer at the steady rate."""


@dataclass
class Load:
    """People who write, in all conversations."""

    stage: Stage
    chats: list[Callable[[str], object]]
    next_item: int = 0

    def say(self, chat: Callable[[str], object]) -> int:
        """Let somebody ask for the next item."""
        self.next_item += 1
        self.stage.say(chat, self.next_item)
        return self.next_item

    async def talk(self, chat: Callable[[str], object], messages: int, tell: Callable[[], None]) -> int:
        """Let one person write that often, each time when the answer is there; return how many answers did not come."""
        for number in range(messages):
            item = self.say(chat)
            try:
                async with asyncio.timeout(PATIENCE):
                    while item not in self.stage.seen:  # noqa: ASYNC110 - two emulators, one moment
                        await asyncio.sleep(0.02)
            except TimeoutError:
                return messages - number
            tell()
        return 0

    async def steady(self, messages: int, rate: float) -> list[float]:
        """Let messages come at a rate, round all conversations; return what each answer took beyond the model's time."""
        items = []
        for number in range(messages):
            items.append(self.say(self.chats[number % len(self.chats)]))
            await asyncio.sleep(1.0 / rate)
        await all_answered(self.stage, items, lambda: None)
        seen, asked = self.stage.seen, self.stage.asked
        return [(seen[item][0] - asked[item] - MODEL_SECONDS) * 1000 for item in items if item in seen]


async def measure(name: str, processes: Processes, load: Load, server: PostgresHere | None, given: argparse.Namespace) -> Found:
    """Measure one constellation that has just been started."""
    await load.steady(20, 5.0)  # warms up
    await rested(processes)
    total, done = len(load.chats) * given.messages, 0
    cpu, server_cpu, began = processes.cpu(), server.cpu() if server else 0.0, time.perf_counter()
    with progress_shown(name) as show:

        def tell() -> None:
            nonlocal done
            done += 1
            show(done, total)

        lost = sum(await asyncio.gather(*(load.talk(chat, given.messages, tell) for chat in load.chats)))
    seconds = time.perf_counter() - began
    await rested(processes)
    used, server_used = processes.cpu() - cpu, (server.cpu() if server else 0.0) - server_cpu
    calm = await load.steady(given.steady, given.rate)
    return Found(name, total, lost, total / seconds, used * 1000 / total, server_used * 1000 / total, calm)


async def rested(processes: Processes) -> None:
    """Return when no process has anything to do."""
    for process in processes.running:
        await still(Bot(process.pid))


@asynccontextmanager
async def staged(given: argparse.Namespace) -> AsyncIterator[tuple[Stage, Load]]:
    """Give both platforms with their people."""
    stage = Stage(model=PacedModel(MODEL_SECONDS))
    async with AsyncExitStack() as stack:
        for emulator in (stage.discord, stage.telegram):
            await stack.enter_async_context(emulator)
        await stack.enter_async_context(stage.model.serving())
        half = given.conversations // 2
        chats = [*stage.chats(DISCORD, half), *stage.chats(PRIVATE, given.conversations - half)]
        watching = asyncio.create_task(stage.watch())
        stack.callback(watching.cancel)
        yield stage, Load(stage, chats)


async def embedded(given: argparse.Namespace, folder: Path) -> Found:
    """Measure all roles in one process on a file."""
    async with staged(given) as (stage, load):
        processes = Processes({**stage.environment(folder, ()), **SETTINGS}, Path(given.log or folder / "bot.log"))
        await processes.start()
        await stage.discord.commands_registered(timeout=PATIENCE)
        try:
            return await measure("one process, SQLite", processes, load, None, given)
        finally:
            await processes.stop()


async def apart(given: argparse.Namespace, folder: Path, workers: int) -> Found:
    """Measure gateways, a scheduler and workers on PostgreSQL."""
    async with staged(given) as (stage, load):
        with postgres_here(folder / "server") as server:
            environment: dict[str, Any] = {**stage.environment(folder, ()), **SETTINGS, "BAKU_DB": server.url}
            processes = Processes(environment, Path(given.log or folder / "bot.log"))
            await processes.start("--role", "gateway", TELEGRAM_TOKEN="")
            await processes.start("--role", "gateway", DISCORD_TOKEN="")
            await processes.start("--role", "scheduler")
            for _ in range(workers):
                await processes.start("--role", "worker")
            await stage.discord.commands_registered(timeout=PATIENCE)
            try:
                return await measure(f"{workers} workers, PostgreSQL", processes, load, server, given)
            finally:
                await processes.stop()


def shown(found: Sequence[Found], console: Console) -> None:
    """Print the table."""
    heads = ("", "messages", "lost", "messages/s", "to one process", "CPU a message", "of PostgreSQL", "added p50", "added p95")
    table = Table(*heads, title=f"The model takes {MODEL_SECONDS * 1000:.0f} ms; CPU and added time in ms, the latter at the steady rate")
    for one in found:
        p50, p95 = (f"{statistics.quantiles(one.calm, n=100)[percent - 1]:,.0f}" for percent in (50, 95))
        rate, ratio = f"{one.rate:.1f}", f"{one.rate / found[0].rate:.2f}"
        table.add_row(one.name, str(one.messages), str(one.lost), rate, ratio, f"{one.cpu:.1f}", f"{one.server_cpu:.1f}", p50, p95)
    console.print(table)


def main() -> None:
    """Read the command line, run, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--conversations", type=int, default=500)
    parser.add_argument("--messages", type=int, default=20, help="in each conversation")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--steady", type=int, default=200, help="messages at the steady rate")
    parser.add_argument("--rate", type=float, default=5.0, help="how many a second those are")
    parser.add_argument("--log", default="", help="a file for what the bot's processes log")
    given = parser.parse_args()
    found: list[Found] = []
    for workers in (0, *given.workers):
        with tempfile.TemporaryDirectory() as folder:
            run = apart(given, Path(folder), workers) if workers else embedded(given, Path(folder))
            found.append(asyncio.run(run))
        shown(found, Console(width=150 if not sys.stdout.isatty() else None))  # with what is known so far
    sys.exit(1 if any(one.lost for one in found) else 0)


if __name__ == "__main__":
    main()
