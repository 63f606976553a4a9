"""Memory and start of one gateway, by how many servers the bot is in: `python -m benchmarks.gateway --servers 1 1000 2500`.

Each time `baku run --role gateway` starts on a PostgreSQL of its own, and an emulated Discord in this process tells it of that many
servers on one shard: each with its channels, roles, own emoji and members, of whom Discord names only the bot, as it does to whoever
asks for neither members nor presences. Then somebody writes in every server. The first number is what the others are compared with.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.cluster import SETTINGS, Processes
from benchmarks.emulated import UNLIMITED
from benchmarks.fanout import Bot, still
from benchmarks.server import PostgresHere, postgres_here
from tests.emulators.discord.objects import Channel, Overwrite, User
from tests.emulators.discord.server import DiscordEmulator

CHANNELS = 20
CLOSED = 4
"""Channels in which only a role may write."""
ROLES = 12
EMOJI = 20
MEMBERS = 50
MAY_WRITE = 1 << 11
PATIENCE = 120.0

Speaker = tuple[Channel, User]


@dataclass(frozen=True, slots=True)
class Found:
    """What a gateway with so many servers showed; memory in MiB."""

    servers: int
    seconds: float
    """From the start of the process until it knows all servers and has offered its commands."""
    cpu: float
    at_rest: float
    written_to: float
    """When somebody has written in every server."""
    peak: float
    recording: float
    """Milliseconds of CPU to record a message that is not for the bot."""


def furnished(discord: DiscordEmulator, number: int) -> Speaker:
    """Make one server of a usual kind, and return somebody who may write there, and where."""
    world = discord.world
    guild = world.guild(f"Tea house {number}")
    roles = [world.role(guild, f"Friends of tea {at}") for at in range(ROLES)]
    guild.emoji |= {f"teapot_{at}": world.new_id() for at in range(EMOJI)}
    for at in range(CHANNELS):
        kept = [Overwrite(guild.id, deny=MAY_WRITE), Overwrite(roles[at].id, allow=MAY_WRITE)] if at < CLOSED else []
        world.channel(guild, f"room-{at}", overwrites=kept)
    people = [world.join(guild, world.user(f"Ada {number}-{at}"), roles=[roles[at % ROLES]]).user for at in range(MEMBERS)]
    return guild.channels[-1], people[0]


def memory_of(bot: Bot) -> float:
    """Return the memory that a process has now, in MiB."""
    status = Path(f"/proc/{bot.pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def recorded(server: PostgresHere, messages: int) -> None:
    """Return when so many messages are stored."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        await asyncio.sleep(0.2)
        if await asyncio.to_thread(server.rows, "SELECT count(*) FROM messages") == [(messages,)]:
            return
    raise RuntimeError("The gateway does not record all messages.")


async def measure(servers: int, folder: Path) -> Found:
    """Run a gateway and return what it showed."""
    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(DiscordEmulator())
        speakers = [furnished(discord, number) for number in range(servers)]
        server = stack.enter_context(postgres_here(folder / "server"))
        addresses = {"DISCORD_TOKEN": discord.token, "DISCORD_API_BASE": discord.api_base, "DISCORD_GATEWAY_URL": discord.gateway_url}
        environment = {**SETTINGS, **UNLIMITED, **addresses, "PATH": str(folder), "BAKU_DB": server.url}
        processes = Processes(environment, folder / "bot.log")
        stack.push_async_callback(processes.stop)
        began = time.perf_counter()
        bot = Bot((await processes.start("--role", "gateway")).pid)
        await discord.commands_registered(timeout=PATIENCE)
        seconds, cpu = time.perf_counter() - began, bot.cpu()
        await still(bot)
        at_rest, used = memory_of(bot), bot.cpu()
        for channel, person in speakers:
            discord.member_says(channel, person, "The tea is ready, and there is cake for everybody")
        await recorded(server, servers)
        recording = (bot.cpu() - used) * 1000 / servers
        return Found(servers, seconds, cpu, at_rest, memory_of(bot), bot.peak(), recording)


def shown(found: Sequence[Found], console: Console) -> None:
    """Print the table."""
    title = f"{CHANNELS} channels, {ROLES} roles, {EMOJI} emoji, {MEMBERS} members a server; MiB, and KiB a server"
    heads = ("servers", "start s", "CPU s", "at rest", "a server", "written to", "a server", "peak", "CPU ms to record")
    table, bare = Table(*heads, title=title), found[0]
    for one in found:
        more = one.servers - bare.servers
        rest, written = ((now - then) * 1024 / more for now, then in zip(*_memory(one, bare), strict=True)) if more else (0.0, 0.0)
        figures = (one.at_rest, rest, one.written_to, written, one.peak)
        table.add_row(
            f"{one.servers:,}", f"{one.seconds:.1f}", f"{one.cpu:.1f}", *(f"{figure:.0f}" for figure in figures), f"{one.recording:.1f}"
        )
    console.print(table)


def _memory(*found: Found) -> list[tuple[float, float]]:
    return [(one.at_rest, one.written_to) for one in found]


def main() -> None:
    """Read the command line, run, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gateway", description=__doc__)
    parser.add_argument("--servers", type=int, nargs="+", default=[1, 1000, 2500])
    found: list[Found] = []
    for servers in parser.parse_args().servers:
        with tempfile.TemporaryDirectory() as folder:
            found.append(asyncio.run(measure(servers, Path(folder))))
    shown(found, Console(width=150 if not sys.stdout.isatty() else None))


if __name__ == "__main__":
    main()
