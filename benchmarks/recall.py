"""Measure how well and how fast a conversation's past is found again: `python -m benchmarks.recall FILE`.

FILE holds conversations with questions (see `recall_set`); our own lies in `benchmarks/data/`. Each conversation is put into a store
on SQLite and asked as an answer asks it, by words only, by vectors only, and by both, with each embedder that is installed.

Printed are the share of the answering turns among the best 5, 10 and 20 (R@), how high the first of them stands (MRR), how often it
stands first of all, how many of the questions that nothing answers bring nothing back, milliseconds a question (p50/p95) without and
with its vector, texts embedded in a second, and the tokens of the best ten with the turns that belong to them; then the same by category.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.recall_set import Asked, Talk, read
from bot.domain.past import CorpusKey
from bot.llm.embedders.choice import make_embedder
from bot.llm.embedders.packages import installed_packages
from bot.llm.tokens import BpeTokens
from bot.memory.past.index import document_of, embedded_text
from bot.memory.reading.excerpts import Excerpts, found_at, places_of
from bot.memory.search.question import Question, asked
from bot.memory.search.ranking import Hit, rank
from bot.memory.search.standing import REFERENCES, background
from bot.ports.corpus import Documents
from bot.ports.embedder import Embedder, Vectors
from bot.storage.store import SqlStore

DEPTHS = (5, 10, 20)
SHOWN = 10
BUDGET = 100_000
WIDTH = 170


@dataclass(slots=True)
class Figures:
    """What was found, a number a question."""

    recall: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    ranks: list[float] = field(default_factory=list)
    by_category: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    """Of each question, the share that was found, and 1 over the rank of the first."""
    silent: list[bool] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    texts: int = 0
    seconds: float = 0.0

    def note(self, question: Asked, found: Sequence[int]) -> None:
        """Take in what a question brought back."""
        if not question.evidence:
            self.silent.append(not found)
            return
        shares = {depth: len(question.evidence & set(found[:depth])) / len(question.evidence) for depth in DEPTHS}
        for depth, share in shares.items():
            self.recall[depth].append(share)
        self.ranks.append(next((1 / at for at, row in enumerate(found, 1) if row in question.evidence), 0.0))
        self.by_category[question.category].append((shares[SHOWN], self.ranks[-1]))


@dataclass(frozen=True, slots=True)
class Way:
    """A way to search: by words, by an embedder's vectors, or by both."""

    name: str
    embedder: Embedder | None
    by_words: bool = True


@dataclass(frozen=True, slots=True)
class Bench:
    """A store with the conversations in it, and the way that is measured."""

    store: SqlStore
    way: Way
    references: Vectors | None

    async def found(self, talk: Talk, text: str, figures: Figures) -> tuple[Sequence[Hit], Documents]:
        """Return what a question brings back, and note what it took."""
        key, embedder = CorpusKey(talk.conversation), self.way.embedder
        cpu, began = time.process_time(), time.perf_counter()
        question = await self._question(key, talk, text)
        embedding, waiting = time.process_time(), time.perf_counter()
        vector = await embedder.queries([question.statement or text]) if embedder else None
        embedding, waiting = time.process_time() - embedding, time.perf_counter() - waiting
        async with self.store.read() as tx:
            documents = await tx.corpora.documents(key)
            postings = await tx.corpora.postings(key, question.wanted) if self.way.by_words else {}
            likenesses = await tx.corpora.likenesses(key, vector, embedder=embedder.name) if embedder and vector is not None else None
        unrelated = background(vector, self.references) if vector is not None and self.references is not None else None
        hits = rank(question, documents, postings, likenesses, now=talk.ended_at, limit=max(DEPTHS), background=unrelated)
        ended = time.perf_counter()
        figures.cpu.append((time.process_time() - cpu - embedding) * 1000)
        figures.wall.append((ended - began - waiting) * 1000)
        figures.whole.append((ended - began) * 1000)
        return hits, documents

    async def _question(self, key: CorpusKey, talk: Talk, text: str) -> Question:
        async with self.store.read() as tx:
            documents = await tx.corpora.documents(key)
        return asked(text, now=talk.ended_at, zone=UTC, people=documents.people)


async def fill(store: SqlStore, talks: Iterable[Talk]) -> None:
    """Let search find all that was said, by its words."""
    for talk in talks:
        async with store.write() as tx:
            await tx.corpora.add(CorpusKey(talk.conversation), [document_of(message) for message in talk.messages])


async def embed(store: SqlStore, talks: Iterable[Talk], embedder: Embedder, figures: Figures) -> None:
    """Keep a vector of all that was said, made as the background makes it."""
    await embedder.queries(["ready"])
    for talk in talks:
        texts = [embedded_text(message) for message in talk.messages]
        began = time.perf_counter()
        vectors = await embedder.passages(texts)
        figures.seconds += time.perf_counter() - began
        figures.texts += len(texts)
        async with store.write() as tx:
            await tx.corpora.put_vectors(CorpusKey(talk.conversation), embedder.name, [message.id for message in talk.messages], vectors)


async def measure(store: SqlStore, talks: Sequence[Talk], way: Way, figures: Figures) -> None:
    """Ask all questions one way."""
    bench = Bench(store, way, await way.embedder.passages(REFERENCES) if way.embedder else None)
    for talk in talks:
        await bench.found(talk, talk.questions[0].text, Figures())
        for question in talk.questions:
            hits, documents = await bench.found(talk, question.text, figures)
            figures.note(question, [hit.id for hit in hits])
            figures.tokens.append(tokens_of(talk, hits[:SHOWN], documents))


def tokens_of(talk: Talk, hits: Sequence[Hit], documents: Documents) -> int:
    """Return what the hits take in a prompt, with the turns that belong to them."""
    counter = BpeTokens()
    found = found_at(hits, documents, before=len(talk.messages) + 1)
    excerpts = Excerpts({place: talk.messages[place] for place in places_of(found)}, counter, BUDGET)
    for each in found:
        excerpts.take(each)
    return sum(
        counter.count(f"{message.author.display_name}: {message.text}") for excerpt in excerpts.all() for message in excerpt.messages
    )


def ways(names: Sequence[str]) -> Iterable[tuple[Embedder | None, Sequence[Way]]]:
    """Yield the ways to search, those of one embedder together."""
    yield None, [Way("words only", None)]
    for name in names:
        embedder = make_embedder(name)
        yield embedder, [Way(f"{name}, vectors only", embedder, by_words=False), Way(f"words + {name}", embedder)]


def row(name: str, figures: Figures) -> list[str]:
    """Return figures as the cells of a table."""
    return [
        name,
        *(f"{statistics.fmean(figures.recall[depth]):.1%}"[:-1] for depth in DEPTHS),
        f"{statistics.fmean(figures.ranks):.1%}"[:-1],
        f"{statistics.fmean(rank == 1 for rank in figures.ranks):.1%}"[:-1],
        f"{statistics.fmean(figures.silent):.0%}" if figures.silent else "",
        *(_middle(values) for values in (figures.cpu, figures.wall, figures.whole)),
        f"{figures.texts / figures.seconds:,.0f}" if figures.seconds else "",
        f"{statistics.fmean(figures.tokens):,.0f}",
    ]


def _both(questions: Sequence[tuple[float, float]]) -> str:
    shares, ranks = zip(*questions, strict=True)
    return f"{statistics.fmean(shares):.1%} / {statistics.fmean(rank == 1 for rank in ranks):.1%}".replace("%", "")


def _middle(values: Sequence[float]) -> str:
    percentiles = statistics.quantiles(values, n=100)
    return f"{percentiles[49]:.1f}/{percentiles[94]:.1f}"


async def compare(path: Path, folder: Path, names: Sequence[str], persona: str) -> Mapping[str, Figures]:
    """Return the figures of each way."""
    store, talks = SqlStore(f"sqlite:///{folder}/recall.db"), read(path, persona=persona)
    await store.open()
    await fill(store, talks)
    measured: dict[str, Figures] = {}
    for embedder, several in ways(names):
        embedding = Figures()
        if embedder:
            await embed(store, talks, embedder, embedding)
        for way in several:
            measured[way.name] = Figures(texts=embedding.texts, seconds=embedding.seconds)
            await measure(store, talks, way, measured[way.name])
        if embedder:
            await embedder.close()
    await store.close()
    return measured


def tables(measured: Mapping[str, Figures]) -> Iterable[Table]:
    """Return what is printed."""
    headings = ("by", *(f"R@{depth}" for depth in DEPTHS), "MRR", "first", "silent", "CPU ms", "ms", "ms with vector", "texts/s", "tokens")
    whole = Table(*headings, title="Finding the past again", box=box.SIMPLE, pad_edge=False)
    for name, figures in measured.items():
        whole.add_row(*row(name, figures))
    categories = sorted({category for figures in measured.values() for category in figures.by_category})
    first = next(iter(measured.values()))
    counted = [f"{category} ({len(first.by_category[category])})" for category in categories]
    apart = Table("by", *counted, title=f"R@{SHOWN} / first, by category", box=box.SIMPLE, pad_edge=False)
    for name, figures in measured.items():
        apart.add_row(name, *(_both(figures.by_category[category]) for category in categories))
    return whole, apart


def main() -> None:
    """Read the command line, measure, and print tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--embedder", nargs="*", help="such as use-multilingual; those that are installed by default")
    parser.add_argument("--persona", default="Baku", help="the speaker who is a persona")
    given = parser.parse_args()
    names = [package.name for package in installed_packages()] if given.embedder is None else given.embedder
    with tempfile.TemporaryDirectory() as folder:
        measured = asyncio.run(compare(given.file, Path(folder), names, given.persona))
    for table in tables(measured):
        Console(width=max(Console().width, WIDTH)).print(table)


if __name__ == "__main__":
    main()
