"""Measure what it takes to keep and to search a conversation's past: `python -m benchmarks.corpora`.

For each number of documents, on SQLite and on PostgreSQL, it adds documents of a dozen made-up words and puts their vectors, and then
reads all that a search needs: the documents, the postings of six words, and the likenesses of a vector. First with nothing in memory,
then again and again, then each time after one more document was added. It prints documents a second, and milliseconds of CPU and of
wall time; a server's own CPU time is not counted.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.pull import Speech, start_server
from bot.domain.chat import ConversationKey
from bot.domain.past import CorpusKey, Document
from bot.ports.embedder import Vectors
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, BO

SIZES = (1_000, 10_000, 100_000)
NUMBERS = 512
"""Of a vector."""
ADDED_AT_ONCE = 500
TIMES = 30
COLD_TIMES = 5
EMBEDDER = "drawn"


def said(speech: Speech, document_id: int) -> Document:
    """Return a document of a dozen words."""
    text = f"{speech.fact()} {speech.fact()}"
    return Document(document_id, " ".join(text.split()[:12]), ADA if document_id % 2 else BO, START + timedelta(minutes=document_id))


def drawn(count: int, seed: int) -> Vectors:
    """Return vectors that point anywhere."""
    vectors: Vectors = np.random.default_rng(seed).normal(size=(count, NUMBERS)).astype(np.float32)
    return vectors


async def fill(store: SqlStore, key: CorpusKey, speech: Speech, count: int) -> tuple[float, float]:
    """Add documents and vectors; return how many of each came in a second."""
    adding = putting = 0.0
    for first in range(0, count, ADDED_AT_ONCE):
        documents = [said(speech, first + number) for number in range(ADDED_AT_ONCE)]
        vectors, began = drawn(ADDED_AT_ONCE, first), time.perf_counter()
        async with store.write() as tx:
            await tx.corpora.add(key, documents)
        added = time.perf_counter()
        async with store.write() as tx:
            await tx.corpora.put_vectors(key, EMBEDDER, [document.id for document in documents], vectors)
        adding, putting = adding + added - began, putting + time.perf_counter() - added
    return count / adding, count / putting


async def search(store: SqlStore, key: CorpusKey, words: list[str], query: Vectors) -> None:
    """Read all that a search needs."""
    async with store.read() as tx:
        await tx.corpora.documents(key)
        await tx.corpora.postings(key, words)
        await tx.corpora.likenesses(key, query, embedder=EMBEDDER)


async def timed(times: int, work: Callable[[int], Awaitable[None]], prepare: Callable[[int], Awaitable[None]] | None = None) -> str:
    """Return CPU p50, wall p50 and wall p95 in milliseconds of work that is done again and again."""
    cpu, wall = list[float](), list[float]()
    for number in range(times):
        if prepare is not None:
            await prepare(number)
        began, began_cpu = time.perf_counter(), time.process_time()
        await work(number)
        cpu.append((time.process_time() - began_cpu) * 1000)
        wall.append((time.perf_counter() - began) * 1000)
    return f"{statistics.median(cpu):.1f} / {statistics.median(wall):.1f} / {sorted(wall)[int(times * 0.95)]:.1f}"


async def measure(table: Table, name: str, url: str, count: int) -> None:
    """Add a row to the table."""
    speech, key = Speech(), CorpusKey(ConversationKey("discord", "bench", str(count)))
    store = SqlStore(url)
    await store.open()
    added, put = await fill(store, key, speech, count)
    questions = [(said(speech, 0).text.split()[:6], drawn(1, -number - 1 & 0xFFFF)) for number in range(TIMES)]

    async def ask(number: int) -> None:
        await search(store, key, *questions[number])

    async def forget(_: int) -> None:
        await store.close()
        await store.open()
        async with store.read() as tx:
            await tx.bindings.find([])

    async def grow(number: int) -> None:
        async with store.write() as tx:
            await tx.corpora.add(key, [said(speech, count + number)])
            await tx.corpora.put_vectors(key, EMBEDDER, [count + number], drawn(1, number))

    cold = await timed(COLD_TIMES, ask, forget)
    warm = await timed(TIMES, ask)
    grown = await timed(TIMES, ask, grow)
    one = await timed(TIMES, lambda number: grow(number + TIMES))
    await store.close()
    table.add_row(name, f"{count:,}", f"{added:,.0f}", f"{put:,.0f}", cold, warm, grown, one)


def main() -> None:
    """Read the command line, measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpora", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--sqlite-only", action="store_true")
    given = parser.parse_args()
    headings = ("on", "documents", "added/s", "vectors/s", "cold", "warm", "after one more", "one more")
    table = Table(*headings, title="Searching a past: ms (CPU p50 / wall p50 / wall p95)", box=box.SIMPLE, pad_edge=False)
    with tempfile.TemporaryDirectory() as folder:
        urls = {"SQLite": f"sqlite:///{folder}/corpora.db"} | ({} if given.sqlite_only else {"PostgreSQL": start_server()})
        for name, url in urls.items():
            for count in sorted(given.sizes):
                asyncio.run(measure(table, name, url, count))
    Console(width=max(Console().width, 130)).print(table)


if __name__ == "__main__":
    main()
