"""Room on a PostgreSQL for each message, with all that is made of it: `python -m benchmarks.room`.

A whole bot with a model that answers at once, the usual embedder and the usual extractor. People talk in groups; each turn has some
messages that the bot only hears, one for it, and its answer, and the background writes after each: search terms, vectors, chunks,
summaries, structured memories, names and what they have to do with each other. Printed is what each relation holds at the end, beyond
what it took when it was empty, and what it would take written anew; beside them the write-ahead log, which an archive has to hold.
"""

import argparse
import asyncio
import json
import logging
import random
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import psycopg
import structlog
from rich.console import Console
from rich.table import Table

from benchmarks.pull import Speech
from benchmarks.server import PostgresHere, postgres_here
from benchmarks.turn import PLACES, THINGS
from bot.app.app import App
from bot.app.world import World
from bot.cli.progress import progress_shown
from bot.domain.chat import ConversationKey
from bot.domain.message import Person
from bot.domain.model import ChatRequest, ModelEvent
from bot.llm.embedders.choice import make_embedder
from bot.llm.tokens import BpeTokens
from bot.nlp.extractor import make_extractor
from bot.testing.bot import a_world, running
from bot.testing.clock import FrozenClock
from bot.testing.factories import incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scribe import Asked, a_record, asked_for, lines_in
from bot.testing.scripted_model import saying

GROUPS = 12
PEOPLE = [Person(name.casefold(), name) for name in ("Ada", "Bo", "Cleo", "Dora", "Emil", "Freya", "Gus", "Hana")]
A_FACT_IN = 4
"""Answers, of which one stores a memory."""
SECONDS = 90
"""Between two turns."""
SIZES = """
    SELECT coalesce(pg_partition_root(oid), oid)::regclass::text, sum(pg_table_size(oid))::bigint, sum(pg_indexes_size(oid))::bigint,
        sum(greatest(reltuples, 0))::bigint
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class Size:
    """What a relation takes, in bytes."""

    rows: int
    table: int
    indexes: int

    @property
    def whole(self) -> int:
        """Return what both take."""
        return self.table + self.indexes


Sizes = Mapping[str, Size]


@dataclass(frozen=True, slots=True)
class Found:
    """What a run left."""

    messages: int
    seconds: float
    logged: int
    """Bytes of write-ahead log."""
    empty: Sizes
    grown: Sizes
    anew: Sizes


class Talker:
    """A ChatModel that answers people at once, keeps facts, and writes for the background at the length that is asked of it."""

    name = "talker"
    takes_tools = False
    takes_images = False

    def __init__(self) -> None:
        self._speech, self._answers = Speech(), 0

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return an answer of some sentences, or a summary."""
        for event in saying(self._answer(request), chunk=1000):
            yield event

    async def close(self) -> None:
        """Do nothing."""

    def _answer(self, request: ChatRequest) -> str:
        match asked_for(request):
            case Asked.STRUCTURED:
                lines = lines_in(request.messages[-1].text) or ["nothing"]
                return json.dumps([a_record(line[:40], sentences(self._speech, 3), *THINGS[:2]) for line in lines[:2]])
            case Asked.OTHER:
                self._answers += 1
                said = sentences(self._speech, 4)
                thing = THINGS[self._answers % len(THINGS)]
                return said if self._answers % A_FACT_IN else f"{said} <mem_new>The {thing} was about {self._speech.fact()}</mem_new>"
            case _:
                return sentences(self._speech, 9)


def sentences(speech: Speech, count: int) -> str:
    """Return so many sentences of ten made-up words."""
    return " ".join(f"{' '.join(speech.words(10)).capitalize()}." for _ in range(count))


class Talk:
    """What people say in the groups."""

    def __init__(self, app: App, world: World, clock: FrozenClock) -> None:
        self._app, self._world, self._clock = app, world, clock
        self._speech, self._chance = Speech(), random.Random(7)

    async def turn(self, group: ConversationKey, heard: int) -> None:
        """Let some people say something to each other and one to the bot, and wait until all is done."""
        for number in range(heard + 1):
            self._clock.move(seconds=SECONDS / (heard + 1))
            message = incoming(
                self._line(),
                message_id=uuid4().hex,
                author=self._chance.choice(PEOPLE),
                conversation=group,
                addressed=number == heard,
                sent_at=self._clock.now(),
            )
            await self._app.inbox.receive(message)
        await self._app.queue.idle()
        await self._world.background.idle()

    def _line(self) -> str:
        friend, place = self._chance.choice(PEOPLE).display_name, self._chance.choice(PLACES)
        thing, words = self._chance.choice(THINGS), " ".join(self._speech.words(self._chance.randrange(2, 20)))
        return self._chance.choice((f"I met {friend} in {place}, {words}", f"{friend} has a {thing}: {words}", words))


def sizes(server: PostgresHere) -> Sizes:
    """Return what each relation takes now."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return {str(name): Size(int(str(rows)), int(str(table)), int(str(index))) for name, table, index, rows in server.rows(SIZES)}


def logged(server: PostgresHere) -> int:
    """Return how much write-ahead log there was so far."""
    ((position,),) = server.rows("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
    return int(str(position))


async def play(url: str, turns: int, heard: int) -> None:
    """Play turns, in one group after the other."""
    clock = FrozenClock()
    world = a_world(Talker(), [RecordingPlatform()], database=url, clock=clock, embedder=make_embedder(""))
    world = replace(world, tokens=BpeTokens(), extractor=make_extractor(None))
    async with running(world) as app:
        talk = Talk(app, world, clock)
        with progress_shown("turns") as show:
            for number in range(turns):
                await talk.turn(ConversationKey("discord", f"club-{number % GROUPS}", "lounge"), heard)
                show(number + 1, turns)


def measure(turns: int, heard: int, folder: Path) -> Found:
    """Play on a server of its own, and return what that left."""
    with postgres_here(folder / "server") as server:
        empty, position, begun = sizes(server), logged(server), time.perf_counter()
        asyncio.run(play(server.url, turns, heard))
        seconds, wal, grown = time.perf_counter() - begun, logged(server) - position, sizes(server)
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("VACUUM FULL")
        ((messages,),) = server.rows("SELECT count(*) FROM messages")
        return Found(int(str(messages)), seconds, wal, empty, grown, sizes(server))


def shown(found: Found, console: Console) -> None:
    """Print the table, the largest relation first; what is under a byte a message is left out."""
    table = Table(
        "relation", "rows", "table", "indexes", "together", "written anew", title=f"Bytes for each of {found.messages:,} messages"
    )
    grown = {name: size.whole - found.empty[name].whole for name, size in found.grown.items()}
    for name in sorted((name for name, more in grown.items() if more >= found.messages), key=lambda name: -grown[name]):
        size, empty = found.grown[name], found.empty[name]
        bytes_ = (size.table - empty.table, size.indexes - empty.indexes, grown[name], found.anew[name].whole - empty.whole)
        table.add_row(name, f"{size.rows:,}", *_each(bytes_, found.messages))
    anew = sum(size.whole - found.empty[name].whole for name, size in found.anew.items())
    table.add_row("all", "", "", "", *_each((sum(grown.values()), anew), found.messages))
    console.print(table)
    print(f"Write-ahead log: {found.logged / found.messages / 1024:.1f} KiB a message. The turns took {found.seconds:.0f} s.")


def _each(sums: Sequence[int], messages: int) -> Sequence[str]:
    return [f"{bytes_ / messages:,.0f}" for bytes_ in sums]


def main() -> None:
    """Read the command line, measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.room", description=__doc__)
    parser.add_argument("--turns", type=int, default=480)
    parser.add_argument("--heard", type=int, default=4, help="messages in each turn that are not for the bot")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as folder:
        shown(measure(given.turns, given.heard, Path(folder)), Console())


if __name__ == "__main__":
    main()
