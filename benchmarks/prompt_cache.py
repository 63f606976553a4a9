"""Measure how much of each prompt is the beginning of the one before: `python -m benchmarks.prompt_cache`.

Providers cache a prompt by its beginning, so what changes must stand late. A conversation of 50 turns is played on a store with
deep memories and a full working block. The turns take turns: a new fact is told, a question brings deep memories back, and one is
small talk. Printed is the share of a prompt's tokens that is the same, from the first on, as in the prompt of the turn before.
"""

import argparse
import asyncio
import logging
import statistics
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import structlog
from rich.console import Console
from rich.table import Table

from benchmarks.turn import THINGS, fact
from bot.domain.memory import Level, Memory
from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta
from bot.llm.tokens import BpeTokens
from bot.ports.store import Store
from bot.storage.persona_files import load_personas
from bot.testing.bot import a_world, running
from bot.testing.factories import ADA, a_scope, incoming
from bot.testing.platform import RecordingPlatform

DEEP, WORKING = 400, 20


class NotingModel:
    """A ChatModel that stores what it is told and keeps the prompts it gets."""

    name = "noting"
    takes_tools = True

    def __init__(self) -> None:
        self.prompts: list[ChatRequest] = []

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return a few sentences, and a memory tag when a fact was told."""
        self.prompts.append(request)
        number = len(self.prompts)
        yield TextDelta("That is a lovely thought, and I would like to hear how it went on from there. " * 3)
        if "planning journey" in request.messages[-1].text:
            yield TextDelta(f"<mem_new>Ada plans journey {number} with her {THINGS[number % len(THINGS)]}.</mem_new>")
        yield Finished(FinishReason.STOP)

    async def close(self) -> None:
        """Do nothing."""


async def fill(store: Store) -> None:
    """Store deep and working memories."""
    scope, now = a_scope(persona_id="baku"), incoming("").sent_at
    async with store.write() as tx:
        for index in range(DEEP + WORKING):
            level = Level.DEEP if index < DEEP else Level.WORKING
            number = await tx.memories.reserve_number(scope)
            memory = Memory(uuid4(), scope, number, fact(index), ADA, ADA, (), now, now, level=level, importance=0.6)
            await tx.memories.add(replace(memory, weighed_at=now))


def said_in(turn: int) -> str:
    """Return what somebody says in a turn."""
    thing = THINGS[turn % len(THINGS)]
    match turn % 3:
        case 0:
            return "What a week that was. I slept late, had coffee on the balcony and watched the swifts for an hour or two."
        case 1:
            return f"Do you remember where I bought that {thing}, and what room it stands in? I was looking for it the other day."
        case _:
            return f"By the way, I am planning journey {turn} now, and of course I shall take the {thing} along, whatever people say."


async def play(turns: int) -> Sequence[ChatRequest]:
    """Play a conversation and return its prompts."""
    model = NotingModel()
    persona = load_personas(Path("personas"), "baku").get("baku")
    world = replace(a_world(model, [RecordingPlatform()], personas=[persona]), tokens=BpeTokens())
    async with running(world) as app:
        await fill(app.store)
        for number in range(turns):
            await app.inbox.receive(incoming(said_in(number), message_id=uuid4().hex))
            await app.queue.idle()
    return model.prompts


def shared_share(before: ChatRequest, after: ChatRequest, tokens: BpeTokens) -> float:
    """Return the share of a prompt's tokens that the prompt before begins with too."""
    texts = ["\n".join(f"{message.role}: {message.text}" for message in request.messages) for request in (before, after)]
    end = next((at for at, (one, other) in enumerate(zip(*texts, strict=False)) if one != other), min(map(len, texts)))
    return tokens.count(texts[1][:end]) / tokens.count(texts[1])


def main() -> None:
    """Read the command line, play, and print the shares."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompt_cache", description=__doc__)
    parser.add_argument("--turns", type=int, default=50)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    tokens = BpeTokens()
    prompts = asyncio.run(play(given.turns))
    shares = [shared_share(before, after, tokens) for before, after in pairwise(prompts)]
    table = Table(
        "turns", "tokens, first and last prompt", "mean share", "median", "least", title="The same beginning as the prompt before"
    )
    sizes = f"{tokens.count(prompts[0].text):,} → {tokens.count(prompts[-1].text):,}"
    table.add_row(
        str(len(prompts)), sizes, *(f"{value:.1%}" for value in (statistics.mean(shares), statistics.median(shares), min(shares)))
    )
    Console().print(table)


if __name__ == "__main__":
    main()
