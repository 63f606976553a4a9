"""Admins let a long talk be read anew: it goes on in the background, tells when it is done, and leaves no message out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from bot.commands.desk import CommandDesk
from bot.commands.parse import ParsedLine, parse_line
from bot.commands.summary import summary_commands
from bot.domain.command import Answer, CommandCall
from bot.domain.message import MessageState
from bot.domain.persona import Personas
from bot.errors import ModelUnavailable
from bot.jobs.regeneration import BackgroundRegenerations
from bot.memory.past.regenerate import Regeneration
from bot.queueing.inprocess import InProcessQueue
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import ADA, BO, GROUP, a_persona, incoming, kind_of
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens

RECORDS = '[{"title": "Tea", "summary": "Ada and Bo talk of tea.", "entities": ["Ada", "Bo"], "key_phrases": ["tea"]}]'


@dataclass(frozen=True, slots=True)
class Room:
    """A group in which much was said, and its commands."""

    store: SqlStore
    desk: CommandDesk
    regenerations: BackgroundRegenerations

    async def type(self, line: str, *, confirmed: bool = False) -> Answer:
        parsed = parse_line(line, self.desk.commands)
        assert isinstance(parsed, ParsedLine)
        call = CommandCall(parsed.path, parsed.options, BO, GROUP, kind_of(GROUP), asker_is_admin=True, confirmed=confirmed)
        return await self.desk.run(call)


@asynccontextmanager
async def room(store: SqlStore, model: ScriptedModel, *, messages: int) -> AsyncIterator[Room]:
    personas = Personas({"iris": a_persona()}, "iris")
    async with store.write() as tx:
        for number in range(messages):
            said = incoming(
                f"Tea number {number}, with a slice of cake",
                message_id=f"m{number}",
                author=(ADA, BO)[number % 2],
                conversation=GROUP,
                sent_at=START + timedelta(minutes=number),
            )
            await tx.messages.record(said, MessageState.DONE)
    clock = FrozenClock()
    regeneration = Regeneration(store, clock, WordTokens())
    requests, queue = InProcessQueue(clock), InProcessQueue(clock)
    regenerations = BackgroundRegenerations(regeneration, lambda _: model, store, clock, personas, requests=requests, queue=queue)
    async with asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(regenerations.run())
        try:
            yield Room(store, CommandDesk(summary_commands(store, personas, clock, regenerations)), regenerations)
        finally:
            serving.cancel()


async def test_a_long_talk_is_read_anew_and_the_room_is_told(store: SqlStore) -> None:
    model = ScriptedModel(*[RECORDS] * 200)
    async with room(store, model, messages=60) as here:
        asked = await here.type("summary regenerate 100")
        begun = await here.type("summary regenerate 100", confirmed=True)
        async with asyncio.timeout(20):
            await here.regenerations.idle()
        shown = await here.type("summary show")

    async with store.read() as tx:
        state = await tx.pasts.state(GROUP)
        chunks = await tx.pasts.chunks(GROUP, state.generation, limit=100)
        said = await tx.messages.page(GROUP, limit=100)
        (entry,) = await tx.outbox.unsent(GROUP)
    assert asked.confirmation is not None
    assert begun.text.startswith("I am reading everything again")
    assert entry.text == f"📖 I have read this conversation again: {len(chunks)} new summaries. `/summary show` shows them."
    assert f"{len(chunks)} summaries of what was said." in shown.text
    inside = [message.id for message in said if any(chunk.first_row <= message.id <= chunk.last_row for chunk in chunks)]
    assert sum(chunk.messages for chunk in chunks) == len(inside) == 55, "the last five are not over yet"


async def test_trouble_with_the_model_is_told_and_the_next_one_goes_on(store: SqlStore) -> None:
    from_here_on = [RECORDS] * 200
    model = ScriptedModel(RECORDS, RECORDS, ModelUnavailable("out"), *from_here_on)
    async with room(store, model, messages=60) as here:
        await here.type("summary regenerate 100", confirmed=True)
        async with asyncio.timeout(20):
            await here.regenerations.idle()
        shown = await here.type("summary show")
        asked_before = len(model.prompts)
        await here.type("summary regenerate 100", confirmed=True)
        async with asyncio.timeout(20):
            await here.regenerations.idle()

    async with store.read() as tx:
        first, second = await tx.outbox.unsent(GROUP)
        state = await tx.pasts.state(GROUP)
        chunks = await tx.pasts.chunks(GROUP, state.generation, limit=100)
    assert "2 summaries are written and kept; `/summary regenerate` goes on from there." in first.text
    assert "A new version is not complete yet (2 of " in shown.text
    assert second.text.startswith("📖 I have read this conversation again: ")
    assert asked_before == 3
    assert state.building is None
    assert len({chunk.first_row for chunk in chunks}) == len(chunks)
