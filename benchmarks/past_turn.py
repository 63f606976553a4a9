"""Measure what a conversation's past adds to a turn: `python -m benchmarks.past_turn`.

For each number of messages, on SQLite and on PostgreSQL, it stores them in one conversation, makes them findable by words and by made-up
vectors, and then times what a turn does before its prompt is built: *asking* (names in the message by spaCy, its vector by the embedder
that is installed by default) and *recalling* (summaries, names, the search, and the messages that are shown). Prints CPU p50, wall p50
and wall p95 in milliseconds; a server's own CPU time is not counted.
"""

import argparse
import asyncio
import tempfile
from dataclasses import replace
from datetime import timedelta

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.corpora import ADDED_AT_ONCE, drawn, timed
from benchmarks.pull import Speech, start_server
from bot.domain.chat import MemoryScope, audience_of
from bot.domain.message import MessageState, StoredMessage
from bot.domain.past import CorpusKey, PastBudget
from bot.domain.turn import Turn
from bot.llm.embedders.choice import make_embedder
from bot.llm.tokens import BpeTokens
from bot.memory.past.index import document_of
from bot.memory.reading.meaning import Meaning
from bot.memory.reading.reader import Asked, PastReader
from bot.ports.embedder import Embedder
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP, a_persona, incoming

SIZES = (1_000, 10_000, 100_000)
TIMES = 40
BUDGET = PastBudget(summaries=384, found=768)


async def fill(store: SqlStore, embedder: Embedder, speech: Speech, count: int) -> StoredMessage:
    """Store messages, made findable, and return one more that asks."""
    key = CorpusKey(GROUP)
    for first in range(0, count, ADDED_AT_ONCE):
        async with store.write() as tx:
            said = []
            for number in range(first, first + ADDED_AT_ONCE):
                at, author = START + timedelta(minutes=number), ADA if number % 2 else BO
                text = f"{speech.fact()} {speech.fact()}"
                message = incoming(text, message_id=str(number), author=author, conversation=GROUP, sent_at=at, addressed=False)
                stored = await tx.messages.record(message, MessageState.HEARD)
                assert stored is not None, "each has an id of its own"
                said.append(stored)
            await tx.corpora.add(key, [document_of(message) for message in said])
            vectors = drawn(ADDED_AT_ONCE, first)[:, : embedder.size]
            await tx.corpora.put_vectors(key, embedder.name, [message.id for message in said], vectors)
    asking = incoming("?", message_id="asking", author=ADA, conversation=GROUP, sent_at=START + timedelta(minutes=count + 600))
    async with store.write() as tx:
        stored = await tx.messages.record(asking, MessageState.WAITING)
    assert stored is not None, "it is new"
    return stored


async def measure(table: Table, name: str, url: str, count: int) -> None:
    """Add a row to the table."""
    speech, store, embedder = Speech(), SqlStore(url), make_embedder("")
    assert embedder is not None, "the default embedder is installed"
    await store.open()
    asking = await fill(store, embedder, speech, count)
    meaning = Meaning(embedder)
    await meaning.prepare()
    reader = PastReader(store, BpeTokens(), meaning)
    scope = MemoryScope("iris", audience_of(GROUP, asking.kind, ADA.id))
    turns = [
        Turn(a_persona(), scope, (replace(asking, text=f"What did Bo say about {speech.fact()} {speech.fact()}?"),), asking.sent_at)
        for _ in range(TIMES)
    ]
    known: dict[int, Asked] = {}

    async def ask(number: int) -> None:
        known[number] = await reader.ask(turns[number])

    async def recall(number: int) -> None:
        await reader.recall(turns[number], known[number], (), BUDGET)

    await ask(0)
    await recall(0)
    asked, recalled = await timed(TIMES, ask), await timed(TIMES, recall)
    await embedder.close()
    await store.close()
    table.add_row(name, f"{count:,}", asked, recalled)


def main() -> None:
    """Read the command line, measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.past_turn", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--sqlite-only", action="store_true")
    given = parser.parse_args()
    title = "What the past adds to a turn: ms (CPU p50 / wall p50 / wall p95)"
    table = Table("on", "messages", "asking", "recalling", title=title, box=box.SIMPLE, pad_edge=False)
    for count in sorted(given.sizes):
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(table, "SQLite", f"sqlite:///{folder}/past.db", count))
    for count in () if given.sqlite_only else sorted(given.sizes):
        asyncio.run(measure(table, "PostgreSQL", start_server(), count))
    Console(width=max(Console().width, 100)).print(table)


if __name__ == "__main__":
    main()
