"""Two hundred conversations at once: `python -m benchmarks.fanout`.

The bot is `baku run` in a process of its own, on an SQLite file, with the real clients; Discord, Telegram and a model that takes a
second are emulators in this one. Everybody writes at the same moment, again and again. Measured is how much longer than the model's
second it takes until the whole answer is visible, what it costs, and whether every message got one answer. Then one answer at a
time, short and long, for the calls that a streamed reply takes on each platform.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web
from rich.console import Console
from rich.table import Table

from benchmarks.emulated import UNLIMITED, platforms_of
from bot.cli.progress import progress_shown
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.openai.answers import frame, usage_frame
from tests.emulators.telegram.clock import WallClock
from tests.emulators.telegram.emulator import TelegramEmulator

MODEL_SECONDS = 1.0
LONG_SECONDS = 15.0
PIECES = 20
"""Of an answer that takes a second."""
GUILD_SIZE = 10
PATIENCE = 90.0
MOST_LOOKS = 60
"""Seconds in which a bot is taken to come to rest."""
LOOK = 0.002
"""Seconds between two looks at what the platforms were asked for; times are no more exact."""
ASKED, DONE = re.compile(r"(short|long) item-(\d+)"), re.compile(r"That was item-(\d+)\.\s*$")
PER_CHANNEL = re.compile(r"/channels/\d+/(messages|typing)(/\d+)?(/.*)?")
DISCORD, PRIVATE, GROUP = "Discord channels", "Telegram private chats", "Telegram groups"


class PacedModel:
    """An OpenAI endpoint whose answers stream over a second; a long one takes fifteen and fills several messages."""

    def __init__(self, seconds: float = MODEL_SECONDS) -> None:
        self.port = 0
        self._seconds = seconds

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Listen as long as the context is open."""
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.port = int(runner.addresses[0][1])
        yield
        await runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        pieces, seconds = _answer_to(await request.json(), self._seconds)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        usage = usage_frame({"prompt_tokens": 400, "completion_tokens": len(pieces), "total_tokens": 400 + len(pieces)})
        with suppress(ConnectionResetError):  # the bot was stopped
            for piece in pieces:
                await asyncio.sleep(seconds / len(pieces))
                await response.write(f"data: {frame({'content': piece})}\n\n".encode())
            await response.write(f"data: {frame(finish='stop')}\n\ndata: {usage}\n\ndata: [DONE]\n\n".encode())
        return response


def _answer_to(body: Mapping[str, Any], seconds: float) -> tuple[Sequence[str], float]:
    """Return the pieces of an answer to the last message, and how long they take."""
    said = [message for message in body["messages"] if message["role"] == "user"]
    asked = ASKED.findall(json.dumps(said[-1]["content"])) if said else []
    if not asked:
        return ["NONE"], 0.01
    length, number = asked[-1]
    count = PIECES if length == "short" else 15 * PIECES
    return [*(f"word-{at} " for at in range(count)), f"That was item-{number}."], seconds if length == "short" else LONG_SECONDS


@dataclass(slots=True)
class Stage:
    """Both platforms with their people, what was asked there, and what the bot has done."""

    discord: DiscordEmulator = field(default_factory=DiscordEmulator)
    telegram: TelegramEmulator = field(default_factory=lambda: TelegramEmulator(clock=WallClock()))
    model: PacedModel = field(default_factory=PacedModel)
    asked: dict[int, float] = field(default_factory=dict)
    """When each item was said."""
    seen: dict[int, list[float]] = field(default_factory=dict)
    """When the whole answer to each item was shown, each time that it was posted."""
    calls: Counter[str] = field(default_factory=Counter)
    _read_discord: int = 0
    _read_telegram: int = 0

    def chats(self, kind: str, count: int) -> list[Callable[[str], object]]:
        """Make so many conversations of a kind; return what lets somebody speak in each."""
        if kind == DISCORD:
            return [self._channel(number) for number in range(count)]
        return [self._telegram_chat(number, is_private=kind == PRIVATE) for number in range(count)]

    def _channel(self, number: int) -> Callable[[str], object]:
        discord = self.discord
        known = list(discord.world.guilds.values())
        guild = known[-1] if known and number % GUILD_SIZE else discord.guild(f"Tea house {len(known)}")
        channel, ada = discord.channel(guild, f"room-{number}"), discord.person(f"Ada {number}", guild)
        return lambda text: discord.member_says(channel, ada, f"{discord.bot.mention} {text}")

    def _telegram_chat(self, number: int, *, is_private: bool) -> Callable[[str], object]:
        telegram = self.telegram
        bo = telegram.scene.person(f"Bo {number}")
        chat = telegram.scene.private(bo) if is_private else telegram.scene.group(f"Tea house {number}", bo)
        return lambda text: telegram.people.says(chat, bo, text if is_private else f"@baku_bot {text}")

    def say(self, chat: Callable[[str], object], item: int, length: str = "short") -> None:
        """Let somebody ask for an item."""
        self.asked[item] = time.perf_counter()
        chat(f"please tell me about {length} item-{item}")

    async def watch(self) -> None:
        """Note what the bot does, as it does it."""
        while True:
            await asyncio.sleep(LOOK)
            now = time.perf_counter()
            for call in self.discord.calls[self._read_discord :]:
                self._read_discord += 1
                if PER_CHANNEL.fullmatch(call.path):
                    self._note(f"{call.method} {'typing' if call.path.endswith('typing') else 'message'}", call.body.get("content"), now)
            for asked in self.telegram.world.calls[self._read_telegram :]:
                self._read_telegram += 1
                if asked.method.casefold().startswith(("send", "edit", "delete")):
                    is_draft = asked.method.casefold() == "sendmessagedraft"
                    self._note(asked.method, None if is_draft else asked.params.text("text"), now)

    def _note(self, call: str, text: object, now: float) -> None:
        self.calls[call] += 1
        if isinstance(text, str) and (whole := DONE.search(text)):
            self.seen.setdefault(int(whole[1]), []).append(now)

    def environment(self, folder: Path, settings: Sequence[str]) -> dict[str, str]:
        """Return the settings of the bot."""
        return {
            "PATH": os.environ["PATH"],
            **platforms_of(self.discord, self.telegram),
            "OPENAI_BASE_URL": f"http://127.0.0.1:{self.model.port}/v1",
            "BAKU_DB": str(folder / "baku.db"),
            **UNLIMITED,
            **dict(setting.split("=", maxsplit=1) for setting in settings),
        }


@dataclass(frozen=True, slots=True)
class Bot:
    """The serving bot, seen from outside."""

    pid: int

    def cpu(self) -> float:
        """Return the seconds of CPU it has used."""
        values = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self) -> float:
        """Return the most memory it has held, in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024


@asynccontextmanager
async def serving(environment: Mapping[str, str], folder: Path, *, profile: str) -> AsyncIterator[Bot]:
    """Run the bot as long as the context is open."""
    how = ["-m", "cProfile", "-o", profile] if profile else []
    with (folder / "bot.log").open("wb") as log:
        bot = await asyncio.create_subprocess_exec(sys.executable, *how, "-m", "bot", "run", env=environment, stdout=log, stderr=log)
        try:
            yield Bot(bot.pid)
        finally:
            if bot.returncode is not None:
                raise SystemExit(f"The bot has ended. Its log ends:\n{_end_of(folder)}")
            bot.terminate()
            await bot.wait()


def _end_of(folder: Path) -> str:
    return Path(folder, "bot.log").read_text(encoding="utf-8")[-3000:]


@dataclass(frozen=True, slots=True)
class Load:
    """What everybody speaking at once showed."""

    kind: str
    messages: int
    added: Sequence[float]
    """Milliseconds beyond the model's, of each answer."""
    lost: int
    doubled: int
    seconds: float
    cpu: float
    """Milliseconds a message."""
    background: float
    """Milliseconds a message afterwards."""
    calls: float
    peak: float


async def all_answered(stage: Stage, items: Sequence[int], tell: Callable[[], None]) -> None:
    """Return when every item is answered, or after a while."""
    try:
        async with asyncio.timeout(PATIENCE):
            while any(item not in stage.seen for item in items):
                await asyncio.sleep(0.02)
                tell()
    except TimeoutError:
        pass
    tell()


async def still(bot: Bot) -> None:
    """Return when the bot has nothing to do any more, or after a while."""
    used = -1.0
    for _ in range(MOST_LOOKS):
        if bot.cpu() - used <= 0.03:
            return
        used = bot.cpu()
        await asyncio.sleep(1.0)


def tell(show: Callable[[int, int], None], stage: Stage, batch: Sequence[int], before: int, total: int) -> None:
    """Show how many are answered."""
    show(before + sum(item in stage.seen for item in batch), total)


async def load(stage: Stage, bot: Bot, kind: str, *, chats: int, rounds: int, first: int) -> Load:
    """Let so many conversations speak at once, so many times; the first time warms up and is not counted."""
    speakers = stage.chats(kind, chats)
    seconds, cpu, after, items = 0.0, 0.0, 0.0, list[int]()
    with progress_shown(kind) as show:
        for number in range(rounds + 1):
            batch = range(first + number * chats, first + (number + 1) * chats)
            if number == 1:
                stage.calls.clear()
            used, began = bot.cpu(), time.perf_counter()
            for item, chat in zip(batch, speakers, strict=True):
                stage.say(chat, item)
            await all_answered(stage, batch, partial(tell, show, stage, batch, number * chats, (rounds + 1) * chats))
            answered, replied = time.perf_counter(), bot.cpu()
            await still(bot)
            if number:
                items += batch
                seconds, cpu, after = seconds + answered - began, cpu + replied - used, after + bot.cpu() - replied
    return Load(
        kind=kind,
        messages=len(items),
        added=[(stage.seen[item][0] - stage.asked[item] - MODEL_SECONDS) * 1000 for item in items if item in stage.seen],
        lost=sum(item not in stage.seen for item in items),
        doubled=sum(_posted_twice(stage, item) for item in items),
        seconds=seconds,
        cpu=cpu * 1000 / len(items),
        background=after * 1000 / len(items),
        calls=stage.calls.total() / len(items),
        peak=bot.peak(),
    )


def _posted_twice(stage: Stage, item: int) -> bool:
    """Say whether more than one message shows the whole answer; what shows it twice at one place was edited."""
    end = f"item-{item}."
    discord = [said for channel in stage.discord.world.channels.values() for said in channel.messages if said.author is stage.discord.bot]
    telegram = [said.text for said in stage.telegram.sent]
    return sum(text.rstrip().endswith(end) for text in [*(said.content for said in discord), *telegram]) > 1


async def one_answer(stage: Stage, kind: str, length: str, item: int) -> Counter[str]:
    """Return what one answer asks of its platform."""
    (chat,) = stage.chats(kind, 1)
    for asked, how_long in ((item, "short"), (item + 1, length)):  # at the first answer it introduces itself
        stage.calls.clear()
        stage.say(chat, asked, how_long)
        await all_answered(stage, [asked], lambda: None)
        await asyncio.sleep(1.0)
    return Counter(stage.calls)


async def measure(given: argparse.Namespace, folder: Path) -> tuple[list[Load], list[tuple[str, str, Counter[str]]]]:
    """Run the bot and return what it showed."""
    stage = Stage()
    async with AsyncExitStack() as stack:
        for emulator in (stage.discord, stage.telegram):
            await stack.enter_async_context(emulator)
        await stack.enter_async_context(stage.model.serving())
        environment = stage.environment(folder, given.set)
        bot = await stack.enter_async_context(serving(environment, folder, profile=given.profile))
        watching = asyncio.create_task(stage.watch())
        stack.callback(watching.cancel)
        await stage.discord.commands_registered(timeout=PATIENCE)
        await still(bot)
        kinds = [kind for kind in (DISCORD, PRIVATE, GROUP) if not given.only or given.only in kind.casefold()]
        loads = [
            await load(stage, bot, kind, chats=given.conversations, rounds=given.rounds, first=(at + 1) * 1_000_000)
            for at, kind in enumerate(kinds)
        ]
        costs: list[tuple[str, str, Counter[str]]] = []
        for kind in kinds:
            for length in ("short", "long"):
                item = 9_000_000 + 10 * len(costs)
                costs.append((kind, length, await one_answer(stage, kind, length, item)))
    return loads, costs


def shown(loads: Sequence[Load], costs: Sequence[tuple[str, str, Counter[str]]], console: Console) -> None:
    """Print both tables."""
    heads = (
        "at once",
        "messages",
        "lost",
        "twice",
        "added p50",
        "added p95",
        "messages/s",
        "CPU a message",
        "afterwards",
        "calls",
        "peak MiB",
    )
    table = Table(*heads, title=f"Everybody writes at the same moment; the model takes {MODEL_SECONDS:.0f} s; times in ms", width=140)
    for one in loads:
        p50, p95 = (f"{statistics.quantiles(one.added, n=100)[percent - 1]:,.0f}" for percent in (50, 95))
        rate = f"{one.messages / one.seconds:.0f}"
        row = (one.kind, one.messages, one.lost, one.doubled, p50, p95, rate, f"{one.cpu:.1f}", f"{one.background:.1f}", f"{one.calls:.1f}")
        table.add_row(*map(str, row), f"{one.peak:.0f}")
    console.print(table)
    if costs:
        calls = Table(
            "one answer",
            "length",
            "calls",
            "which",
            width=140,
            title=f"Calls of the platform's API; long is {LONG_SECONDS:.0f} s in several parts",
        )
        for kind, length, counted in costs:
            calls.add_row(kind, length, str(counted.total()), ", ".join(f"{count} {name}" for name, count in counted.most_common()))
        console.print(calls)


def main() -> None:
    """Read the command line, run, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fanout", description=__doc__)
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="discord, private or groups")
    parser.add_argument("--set", nargs="*", default=[], help="settings of the bot, such as BAKU_EMBEDDER=none")
    parser.add_argument("--profile", default="", help="a file for what cProfile says of the bot")
    parser.add_argument("--log", default="", help="a file for the bot's log")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            loads, costs = asyncio.run(measure(given, Path(folder)))
        finally:
            if given.log:
                Path(given.log).write_bytes(Path(folder, "bot.log").read_bytes())
    shown(loads, costs, Console(width=150 if not sys.stdout.isatty() else None))
    sys.exit(1 if any(one.lost or one.doubled for one in loads) else 0)


if __name__ == "__main__":
    main()
