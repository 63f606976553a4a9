"""Kill a serving bot at random points while people write on both platforms, and count what was lost or doubled.

`python -m benchmarks.kill --messages 200 --kills 20`. The bot is `baku run` in a process of its own, killed with SIGKILL; Discord,
Telegram and the model are emulators in this one. Every message carries an item; the model stores the items of its turn and names
them in its reply.
"""

import argparse
import asyncio
import json
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import text

from benchmarks.emulated import platforms_of
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.openai.answers import Call, Say, Scripted
from tests.emulators.openai.server import OpenAIEmulator
from tests.emulators.telegram.clock import WallClock
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.migration.databases import connected

PEOPLE = 10
"""On each platform, each in a chat of their own."""
ITEM = re.compile(r"item-\d+")
PATIENCE = 30.0
"""Seconds for the last answers to come in after the last kill."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run showed."""

    messages: int
    kills: int
    lost: Sequence[str]
    """Items that no reply names."""
    unremembered: Sequence[str]
    """Items in no memory."""
    memories_doubled: Sequence[str]
    replies_doubled: Sequence[str]
    seconds: float


def keeper(body: Mapping[str, Any]) -> Scripted:
    """Return a model's answer that stores the items of the turn, then names them."""
    messages: list[dict[str, Any]] = body["messages"]
    start = max(index for index, message in enumerate(messages) if message["role"] == "system")
    items = [item for message in messages[start:] if message["role"] == "user" for item in ITEM.findall(message["content"])]
    if messages[-1]["role"] == "tool":
        return Say("Noted: " + " ".join(items))
    calls = [Call("UpdatePersonaMemory", json.dumps({"id": 0, "newContent": item}), id=f"call_{item}") for item in items]
    return Say(calls=tuple(calls)) if calls else Say("Hello.")


class World:
    """Both platforms with their people, and the model."""

    def __init__(self) -> None:
        self.discord = DiscordEmulator()
        self.telegram = TelegramEmulator(clock=WallClock())
        self.model = OpenAIEmulator(brain=keeper)
        self._chats: list[Callable[[str], object]] = []

    def populate(self) -> None:
        """Make the people and their private chats."""
        for number in range(PEOPLE):
            member = self.discord.person(f"Ada {number}")
            self._chats.append(partial(self.discord.member_says, self.discord.dm(member), member))
            person = self.telegram.scene.person(f"Bo {number}")
            self._chats.append(partial(self.telegram.people.says, self.telegram.scene.private(person), person))

    def say(self, number: int, text: str) -> None:
        """Let one person write; the numbers go round the people of both platforms."""
        self._chats[number % len(self._chats)](text)

    def replies(self) -> list[str]:
        """Return all that the bot sent."""
        discord = [message.content for channel in self.discord.world.channels.values() for message in self.discord.said_by_bot(channel)]
        return discord + [message.text for message in self.telegram.sent]

    def named(self) -> Counter[str]:
        """Return how often replies name each item."""
        return Counter(item for reply in self.replies() for item in ITEM.findall(reply))

    def environment(self, database: str) -> dict[str, str]:
        """Return the settings of the bot."""
        return {
            "PATH": os.environ["PATH"],
            **platforms_of(self.discord, self.telegram),
            "OPENAI_BASE_URL": self.model.base_url,
            "BAKU_DB": database,
            "BAKU_SPACY_MODEL": "none",
        }


async def start_bot(environment: Mapping[str, str], log: Path) -> asyncio.subprocess.Process:
    """Return a serving bot; what it logs is added to a file."""
    with log.open("ab") as sink:
        return await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env=environment, stderr=sink, stdout=sink)


async def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Return whether the condition came true in time."""
    try:
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110 - the emulators have no event for every kind of change
                await asyncio.sleep(0.05)
    except TimeoutError:
        return False
    return True


async def measure(*, messages: int, kills: int, seed: int, folder: Path, database: str) -> Report:
    """Run the bot through all kills and return what it lost. Its log is written to the folder."""
    chance = random.Random(seed)
    world = World()
    async with AsyncExitStack() as stack:
        for emulator in (world.discord, world.telegram, world.model):
            await stack.enter_async_context(emulator)
        world.populate()
        environment, log = world.environment(database), folder / "bot.log"
        started = asyncio.get_running_loop().time()
        bot = await start_bot(environment, log)
        await world.discord.connected(timeout=PATIENCE)
        for number in range(2 * PEOPLE):
            world.say(number, "hello")
        if not await until(lambda: len(world.replies()) >= 2 * PEOPLE, PATIENCE):
            raise RuntimeError(f"The bot does not answer. Its log ends:\n{log.read_text(encoding='utf-8')[-3000:]}")
        writing = asyncio.create_task(write(world, messages, chance, pause=2.0 * kills / messages))
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(0.2, 3.8))
            bot.kill()
            await bot.wait()
            bot = await start_bot(environment, log)
        await writing
        await until(lambda: len(world.named()) >= messages, PATIENCE)
        await asyncio.sleep(2.0)
        bot.terminate()
        await bot.wait()
        seconds = asyncio.get_running_loop().time() - started
        return report(world, messages=messages, kills=kills, database=database, seconds=seconds)


async def write(world: World, messages: int, chance: random.Random, *, pause: float) -> None:
    """Let people write, at random moments that are `pause` seconds apart on average."""
    for number in range(messages):
        world.say(number, f"Please keep item-{number}.")
        await asyncio.sleep(chance.uniform(0, 2 * pause))


def report(world: World, *, messages: int, kills: int, database: str, seconds: float) -> Report:
    """Return what a run showed."""
    named = world.named()
    with connected(database) as connection:
        kept = Counter(connection.execute(text("SELECT text FROM memories")).scalars())
    items = [f"item-{number}" for number in range(messages)]
    return Report(
        messages=messages,
        kills=kills,
        lost=[item for item in items if not named[item]],
        unremembered=[item for item in items if not kept[item]],
        memories_doubled=[item for item in items if kept[item] > 1],
        replies_doubled=[item for item in items if named[item] > 1],
        seconds=seconds,
    )


def main() -> None:
    """Read the command line, run, and print the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill", description=__doc__)
    parser.add_argument("--messages", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="", help="an empty one that has our tables; without it, a file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = given.database or f"sqlite:///{folder}/baku.db"
        shown = asyncio.run(measure(messages=given.messages, kills=given.kills, seed=given.seed, folder=Path(folder), database=database))
    print(f"{shown.messages} messages, {shown.kills} kills, {shown.seconds:.0f} s")
    print(f"lost {len(shown.lost)} {list(shown.lost)}, not remembered {len(shown.unremembered)} {list(shown.unremembered)}")
    print(f"memories written twice {len(shown.memories_doubled)} {list(shown.memories_doubled)}")
    print(f"replies sent twice {len(shown.replies_doubled)} {list(shown.replies_doubled)}")
    sys.exit(1 if shown.lost or shown.unremembered or shown.memories_doubled else 0)


if __name__ == "__main__":
    main()
