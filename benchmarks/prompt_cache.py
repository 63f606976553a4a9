"""Measure how much of each prompt is the beginning of the one before: `python -m benchmarks.prompt_cache`.

Providers cache a prompt by its beginning, so what changes must stand late. A conversation of 50 turns is played on a store with
deep memories and a full working block. The turns take turns: a new fact is told, a question brings deep memories back, and one is
small talk. Printed is the share of a prompt's tokens that is the same, from the first on, as in the prompt of the turn before.

A conversation of 300 messages follows, with the background at work after each turn: chunk summaries, a rolling summary, structured
memories, and old lines that come back. Of its last prompt the tokens of each section are printed.
"""

import argparse
import asyncio
import json
import logging
import re
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
from bot.testing.clock import FrozenClock
from bot.testing.factories import ADA, a_scope, incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scribe import Asked, Scribe, a_record

DEEP, WORKING = 400, 20
MINUTES = 20
"""Between two turns."""
SUMMARY = "Ada told of a slow week with coffee on the balcony, asked where things stand that she bought, and planned another journey. " * 2
_TAGS = (
    "persona",
    "memories",
    "deep_memories",
    "summary",
    "recent_summaries",
    "recalled",
    "entities",
    "relevant_past",
    "structured_memories",
)


class NotingModel:
    """A ChatModel that stores what it is told and keeps the prompts it gets."""

    name = "noting"
    takes_tools = True
    takes_images = False

    def __init__(self) -> None:
        self.prompts: list[ChatRequest] = []

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return a few sentences, and a memory tag when a fact was told; to the background, summaries as long as such summaries are."""
        if "<now>" not in request.text:
            async for event in a_scribe().stream(request):
                yield event
            return
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


SMALL_TALK = (
    "What a week that was. I slept late, had coffee on the balcony and watched the swifts for an hour or two.",
    "It has not stopped raining since Monday, and the cellar smells of wet stone.",
    "My neighbour practises the trumpet again. He is getting better, though the dog disagrees.",
    "I tried that soup of yours. More ginger next time, I think.",
    "The tram was so full this morning that I walked, and it was the best part of the day.",
    "Somebody left a box of books on the stairs, all of them about bridges.",
    "I cannot decide whether to paint the kitchen yellow or leave it as it is.",
    "My sister calls every evening at eight now, as if we were on a schedule.",
    "The market had the first strawberries. Expensive, and worth it.",
    "I fell asleep during the film and woke up at the end, which was rather good.",
    "There was fog over the river until noon, you could not see the other bank.",
    "They moved my desk to the window. I get nothing done and I am happy.",
    "The baker has a new apprentice who draws faces on the rolls.",
    "I ran for twenty minutes without stopping, for the first time since school.",
    "A letter came for the people who lived here before. I keep them in a drawer.",
    "We played cards until two. I lost everything but my good mood.",
    "The heating makes a sound like somebody whispering numbers.",
    "I found my old swimming badge and sewed it on my coat for fun.",
    "The boss asked for a report about reports. I wrote three lines.",
    "Tonight there is to be a meteor shower, if the clouds let us see it.",
)


def said_in(turn: int) -> str:
    """Return what somebody says in a turn."""
    thing = THINGS[turn % len(THINGS)]
    match turn % 3:
        case 0:
            return SMALL_TALK[turn // 3 % len(SMALL_TALK)]
        case 1:
            return f"Do you remember where I bought that {thing}, and what room it stands in? I was looking for it the other day."
        case _:
            return f"By the way, I am planning journey {turn} now, and of course I shall take the {thing} along, whatever people say."


async def play(turns: int, window: int, *, with_past: bool = False) -> Sequence[ChatRequest]:
    """Play a conversation and return its prompts. Its past is written about, and comes back, only if that is wished."""
    model, clock = NotingModel(), FrozenClock()
    persona = load_personas(Path("personas"), "baku").get("baku")
    persona = replace(persona, memory=replace(persona.memory, past=with_past))
    world = replace(a_world(model, [RecordingPlatform()], personas=[persona], clock=clock, window_tokens=window), tokens=BpeTokens())
    async with running(world) as app:
        await fill(app.store)
        for number in range(turns):
            clock.move(seconds=60 * MINUTES)
            await app.inbox.receive(incoming(said_in(number), message_id=uuid4().hex, sent_at=clock.now()))
            await app.queue.idle()
            await world.background.idle()
    return model.prompts


def a_scribe() -> Scribe:
    """Return who writes for the background."""
    record = json.dumps([a_record("A journey", SUMMARY)])
    return Scribe({Asked.CHUNK: [SUMMARY], Asked.SUMMARY: [SUMMARY * 2], Asked.CONDENSED: [SUMMARY], Asked.STRUCTURED: [record]})


def shared_share(before: ChatRequest, after: ChatRequest, tokens: BpeTokens) -> float:
    """Return the share of a prompt's tokens that the prompt before begins with too."""
    texts = ["\n".join(f"{message.role}: {message.text}" for message in request.messages) for request in (before, after)]
    end = next((at for at, (one, other) in enumerate(zip(*texts, strict=False)) if one != other), min(map(len, texts)))
    return tokens.count(texts[1][:end]) / tokens.count(texts[1])


def sections(request: ChatRequest, tokens: BpeTokens) -> dict[str, int]:
    """Return the tokens of each section of a prompt, in its order."""
    system, *history, now, message = request.messages
    counted: dict[str, int] = {}
    for where in (system, now):
        found = {tag: match[0] for tag in _TAGS if (match := re.search(rf"^<{tag}>\n.*?^</{tag}>", where.text, re.DOTALL | re.MULTILINE))}
        counted |= {tag: tokens.count(text) for tag, text in found.items()}
        rest = tokens.count(where.text) - sum(tokens.count(text) for text in found.values())
        counted |= {"instructions": rest} if where is system else {"time and the like": rest}
        if where is system:
            counted["history"] = sum(tokens.count(said.text) for said in history)
    return counted | {"message": tokens.count(message.text)}


def shares_of(prompts: Sequence[ChatRequest], window: int, tokens: BpeTokens) -> list[str]:
    """Return a row of the table: how many turns, in which window, how large, and which shares."""
    shares = [shared_share(before, after, tokens) for before, after in pairwise(prompts)]
    sizes = f"{tokens.count(prompts[0].text):,} → {tokens.count(prompts[-1].text):,}"
    told = [statistics.mean(shares), statistics.median(shares), min(shares)]
    return [str(len(prompts)), f"{window:,}", sizes, *(f"{value:.1%}" for value in told)]


def main() -> None:
    """Read the command line, play, and print the shares."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompt_cache", description=__doc__)
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--long", type=int, default=150, help="turns of the conversation with a past")
    parser.add_argument("--windows", type=int, nargs="+", default=[8192, 16384], help="tokens that the model takes")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    tokens, console = BpeTokens(), Console()
    table = Table(
        "turns", "window", "tokens, first and last prompt", "mean share", "median", "least", title="The same beginning as the prompt before"
    )
    table.add_row(*shares_of(asyncio.run(play(given.turns, given.windows[0])), given.windows[0], tokens))
    long = {window: asyncio.run(play(given.long, window, with_past=True)) for window in given.windows}
    for window, prompts in long.items():
        table.add_row(*shares_of(prompts, window, tokens))
    parts = Table(f"section of the last prompt in {given.windows[0]:,}", "tokens")
    for name, count in sections(long[given.windows[0]][-1], tokens).items():
        parts.add_row(name, f"{count:,}")
    console.print(table, parts)


if __name__ == "__main__":
    main()
