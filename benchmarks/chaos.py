"""Kill processes of a bot at random while people write: `python -m benchmarks.chaos --messages 5000`.

Two gateways, three workers and a scheduler on PostgreSQL; every two seconds one of them, any one, is killed with SIGKILL and started
anew, and once the database is restarted. Discord (two shards), Telegram and the model are emulators in this process. Every message
carries an item; the model stores the items of its turn and names them in its reply, so that what is lost, written twice, said twice
or in a wrong order can be counted. In the middle comes a night, whose dreams are counted, too.
"""

import argparse
import asyncio
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path

import psycopg

from benchmarks.cluster import SETTINGS, Processes
from benchmarks.emulated import UNLIMITED, platforms_of
from benchmarks.kill import ITEM, keeper
from benchmarks.server import PostgresHere, postgres_here
from bot.cli.progress import progress_shown
from tests.emulators.discord.objects import Channel, User
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.openai.server import OpenAIEmulator
from tests.emulators.telegram.clock import WallClock
from tests.emulators.telegram.emulator import TelegramEmulator

ROLES: Sequence[tuple[tuple[str, ...], dict[str, str]]] = (
    (("--role", "gateway", "--shards", "0/2"), {}),
    (("--role", "gateway", "--shards", "1/2"), {}),
    *[(("--role", "worker"), {})] * 3,
    (("--role", "scheduler"), {}),
)
SERVERS = 4
ROOMS = 10
"""In each server; as many people again have private chats on each platform. With fewer, people tell more than they may in a day."""
PATIENCE = 90.0
NUMBER = re.compile(r"item-(\d+)")


@dataclass
class World:
    """Both platforms with their people, and the model."""

    discord: DiscordEmulator = field(default_factory=DiscordEmulator)
    telegram: TelegramEmulator = field(default_factory=lambda: TelegramEmulator(clock=WallClock()))
    model: OpenAIEmulator = field(default_factory=lambda: OpenAIEmulator(brain=keeper))
    guilds: list[int] = field(default_factory=list)
    chats: list[Callable[[str], object]] = field(default_factory=list)
    _read: int = 0

    def populate(self) -> None:
        """Make servers with rooms, and private chats."""
        discord, telegram = self.discord, self.telegram
        for number in range(SERVERS):
            guild = discord.guild(f"Tea house {number}")
            self.guilds.append(guild.id)
            for room in range(ROOMS):
                channel, ada = discord.channel(guild, f"room-{room}"), discord.person(f"Ada {number}-{room}", guild)
                self.chats.append(partial(self._mention, channel, ada))
        for number in range(SERVERS * ROOMS):
            cy, bo = discord.person(f"Cy {number}"), telegram.scene.person(f"Bo {number}")
            self.chats.append(partial(discord.member_says, discord.dm(cy), cy))
            self.chats.append(partial(telegram.people.says, telegram.scene.private(bo), bo))

    def _mention(self, channel: Channel, member: User, text: str) -> None:
        self.discord.member_says(channel, member, f"{self.discord.bot.mention} {text}")

    def say(self, item: int) -> None:
        """Let one person write; items go round the chats."""
        self.chats[item % len(self.chats)](f"Please keep item-{item}.")
        self.model.requests.clear()  # they hold whole prompts

    def replies(self) -> dict[str, list[str]]:
        """Return what the bot has said in each chat, in order."""
        said: dict[str, list[str]] = defaultdict(list)
        for channel in self.discord.world.channels.values():
            said[f"discord {channel.id}"] = [message.content for message in self.discord.said_by_bot(channel)]
        for message in self.telegram.sent:
            said[f"telegram {message.chat.id}"].append(message.text)
        return said

    def environment(self, folder: Path, url: str) -> dict[str, str]:
        """Return the settings of the bot."""
        return {
            **SETTINGS,
            "PATH": str(folder),
            **platforms_of(self.discord, self.telegram),
            "OPENAI_BASE_URL": self.model.base_url,
            "BAKU_DB": url,
            **UNLIMITED,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What a run showed."""

    messages: int
    kills: int
    seconds: float
    lost: Sequence[int]
    """Items that no reply names."""
    unremembered: Sequence[int]
    memories_doubled: Sequence[int]
    replies_doubled: Sequence[int]
    out_of_order: Sequence[str]
    """Chats in which a later item was answered before an earlier one."""
    dreams: Counter[int]
    """How many nights each scope with a night has had."""


async def measure(given: argparse.Namespace, folder: Path) -> Report:
    """Run the bot through all of it and return what it showed."""
    chance, world = random.Random(given.seed), World()
    async with AsyncExitStack() as stack:
        for emulator in (world.discord, world.telegram, world.model):
            await stack.enter_async_context(emulator)
        world.populate()
        server = stack.enter_context(postgres_here(folder / "server"))
        processes = Processes(world.environment(folder, server.url), Path(given.log or folder / "bot.log"))
        stack.push_async_callback(processes.stop)
        for arguments, settings in ROLES:
            await processes.start(*arguments, **settings)
        await world.discord.commands_registered(timeout=PATIENCE)
        await greet(world)
        began = time.monotonic()
        night = asyncio.create_task(prepare_night(world, server, after=given.messages / given.rate / 2))
        writing = asyncio.create_task(write(world, given.messages, given.rate))
        kills = await kill(processes, writing, server, chance, given.every)
        await asyncio.gather(writing, night)
        await answered(world, server, given.messages)
        seconds = time.monotonic() - began
        return report(world, server, messages=given.messages, kills=kills, seconds=seconds)


async def greet(world: World) -> None:
    """Let everybody say hello once: Discord lets nobody read back private chats that were never heard of."""
    for chat in world.chats:
        chat("hello")
        await asyncio.sleep(0.2)
    until = time.monotonic() + PATIENCE
    while sum(map(bool, world.replies().values())) < len(world.chats):
        if time.monotonic() > until:
            raise RuntimeError("The bot does not answer everybody; --log keeps what it says.")
        await asyncio.sleep(0.5)


async def write(world: World, messages: int, rate: float) -> None:
    """Let people write at a rate."""
    with progress_shown("messages") as show:
        for item in range(messages):
            world.say(item)
            show(item + 1, messages)
            await asyncio.sleep(1.0 / rate)


async def kill(processes: Processes, writing: asyncio.Task[None], server: PostgresHere, chance: random.Random, every: float) -> int:
    """Kill one process after the other as long as people write, and restart the database once; return how many were killed."""
    kills, restarted = 0, False
    while not (await asyncio.wait([writing], timeout=every))[0]:
        victim = chance.randrange(len(ROLES))
        for at, process in enumerate([*processes.running]):
            if at == victim and process.returncode is None:
                process.kill()
                await process.wait()
                kills += 1
            if process.returncode is not None:  # or it has ended, as it does when it starts without a database: supervisors start it anew
                await again(processes, at)
        if kills == 10 and not restarted:
            await asyncio.to_thread(server.restart)
            restarted = True
    return kills


async def again(processes: Processes, at: int) -> None:
    """Start a process again that has ended."""
    arguments, settings = ROLES[at]
    fresh = await processes.start(*arguments, **settings)
    processes.running.remove(fresh)
    processes.running[at] = fresh


async def prepare_night(world: World, server: PostgresHere, *, after: float) -> None:
    """Let the night of every server come once, some time after there is something to dream of."""
    at = (datetime.now(UTC) + timedelta(seconds=after)).strftime("%H:%M")
    async with await psycopg.AsyncConnection.connect(server.url, autocommit=True) as connection:
        for guild in world.guilds:
            for name, value in (("dream.time", at), ("dream.zone", "UTC")):
                await connection.execute("INSERT INTO space_settings VALUES ('discord', %s, %s, %s)", (str(guild), name, value))


LEFT = "SELECT (SELECT count(*) FROM messages WHERE state = 'waiting') + (SELECT count(*) FROM outbox)"


async def answered(world: World, server: PostgresHere, messages: int) -> None:
    """Return when every item is named and nothing is left to do, or after a while. A growing answer names items before it counts."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        await asyncio.sleep(1.0)
        named = {item for said in world.replies().values() for text in said for item in ITEM.findall(text)}
        if len(named) >= messages and server.rows(LEFT) == [(0,)]:
            return


def report(world: World, server: PostgresHere, *, messages: int, kills: int, seconds: float) -> Report:
    """Return what a run showed."""
    replies = {chat: [int(item) for text in said for item in NUMBER.findall(text)] for chat, said in world.replies().items()}
    named = Counter(item for items in replies.values() for item in items)
    kept = Counter(int(found[1]) for (text,) in server.rows("SELECT text FROM memories") if (found := NUMBER.fullmatch(str(text))))
    firsts = {chat: list(dict.fromkeys(items)) for chat, items in replies.items()}
    nights = server.rows("SELECT subject, count(*) FROM job_records WHERE job IN ('dream', 'decay') GROUP BY subject")
    return Report(
        messages=messages,
        kills=kills,
        seconds=seconds,
        lost=[item for item in range(messages) if not named[item]],
        unremembered=[item for item in range(messages) if not kept[item]],
        memories_doubled=[item for item, count in kept.items() if count > 1],
        replies_doubled=[item for item, count in named.items() if count > 1],
        out_of_order=[chat for chat, items in firsts.items() if any(one > other for one, other in pairwise(items))],
        dreams=Counter(int(str(count)) for _, count in nights),
    )


def main() -> None:
    """Read the command line, run, and print the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description=__doc__)
    parser.add_argument("--messages", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=8.0, help="messages a second")
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", default="", help="a file for what the bot's processes log")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        shown = asyncio.run(measure(given, Path(folder)))
    print(f"{shown.messages} messages, {shown.kills} kills, {shown.seconds:.0f} s")
    print(f"lost {len(shown.lost)} {list(shown.lost)[:20]}, not remembered {len(shown.unremembered)} {list(shown.unremembered)[:20]}")
    print(f"memories written twice {len(shown.memories_doubled)} {list(shown.memories_doubled)[:20]}")
    print(f"replies sent twice {len(shown.replies_doubled)} {list(shown.replies_doubled)[:20]}")
    print(f"chats out of order {len(shown.out_of_order)} {list(shown.out_of_order)[:20]}")
    print(f"nights of a scope: {', '.join(f'{scopes} had {count}' for count, scopes in sorted(shown.dreams.items())) or 'none'}")
    sys.exit(1 if shown.lost or shown.unremembered or shown.memories_doubled or shown.out_of_order else 0)


if __name__ == "__main__":
    main()
