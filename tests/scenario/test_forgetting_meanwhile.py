"""Work that began before an erasure and ends after it brings nothing back."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from bot.domain.erasing import DeletedMessages, OneMemory, OnePerson
from bot.domain.job import JobState
from bot.domain.memory import EditOrigin, Forget, Level, Remember, Settle
from bot.domain.message import IncomingMessage
from bot.domain.past import Chunk, ChunkState
from bot.domain.persona import MemoryPolicy, Personas
from bot.domain.tool import ToolCall
from bot.errors import Overtaken
from bot.jobs.dream import DreamJob
from bot.jobs.past import PastJob
from bot.memory.dreams.apply import take_back
from bot.memory.dreams.limits import DreamLimits
from bot.memory.edit import MemoryEditor
from bot.memory.erasing.engine import Eraser
from bot.memory.erasing.guard import guarded
from bot.memory.past.regenerate import Regeneration
from bot.storage.store import SqlStore
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import BO, DIRECT, GROUP, a_persona, a_scope, incoming
from bot.testing.scripted_model import ScriptedModel, calling
from bot.testing.tokens import WordTokens
from tests.scenario.forgetting_stage import SECRET, ZOE, fill, found_in

SCOPE = a_scope(GROUP, ZOE)
PERSON = OnePerson("discord", ZOE.id, GROUP)


@pytest.fixture
async def bot(store_url: str) -> AsyncIterator[tuple[Bot, asyncio.Event, ScriptedModel]]:
    """Give a running bot whose model waits, with what lets it go on."""
    go_on = asyncio.Event()
    told = calling(ToolCall("1", "CreatePersonaMemory", json.dumps({"text": f"Bakes {SECRET} pies"})), text=f"Ah, {SECRET}!")
    model = ScriptedModel(told, "Fine.", "And so on.", "Yes.", "Well.", waits_for=go_on)
    async with make_bot(model, database=store_url) as running:
        yield running, go_on, model


async def test_a_turn_that_was_being_answered_leaves_nothing(bot: tuple[Bot, asyncio.Event, ScriptedModel], store_url: str) -> None:
    running, go_on, model = bot
    await running.app.inbox.receive(_said(running, f"I bake {SECRET} pies"))
    await model.asked.wait()

    await running.app.erasing.eraser.erase(PERSON)
    go_on.set()
    await running.quiet()

    assert running.replies == []
    assert await running.memories(GROUP, ZOE) == []
    assert found_in(store_url, SECRET, ZOE.id) == []


async def test_a_turn_of_somebody_else_is_taken_again_without_what_was_erased(
    bot: tuple[Bot, asyncio.Event, ScriptedModel], store_url: str
) -> None:
    running, go_on, model = bot
    go_on.set()
    deleted = await running.say(f"I bake {SECRET} pies", author=ZOE, conversation=GROUP, addressed=False)
    go_on.clear()
    model.asked.clear()
    await running.app.inbox.receive(_said(running, "What does she bake?", by_bo=True))
    await model.asked.wait()

    await running.app.inbox.delete(GROUP, [deleted])
    go_on.set()
    await running.quiet()

    assert SECRET in model.prompts[0].text
    assert SECRET not in model.prompts[-1].text
    assert len(running.replies) == 1
    await running.app.erasing.ring()
    assert found_in(store_url, SECRET) == []


async def held(work: Awaitable[object], model: ScriptedModel, meanwhile: Callable[[], Awaitable[object]], go_on: asyncio.Event) -> None:
    """Let something happen while work waits for its model."""
    task = asyncio.ensure_future(work)
    await asyncio.wait_for(model.asked.wait(), 20)
    await meanwhile()
    go_on.set()
    await asyncio.wait_for(task, 20)


@pytest.mark.parametrize("writes", ["after the reply", "anew"])
async def test_a_summary_that_was_being_written_is_not_kept(store: SqlStore, store_url: str, writes: str) -> None:
    await fill(store)
    go_on = asyncio.Event()
    model = ScriptedModel(f"All about {SECRET}.", *["Nothing much."] * 20, waits_for=go_on)
    persona = a_persona()
    async with store.write() as tx:
        chunk = (await tx.pasts.chunks(GROUP, 0, limit=1))[0]
        await tx.pasts.put(_planned(chunk))

    async def write() -> None:
        if writes == "anew":
            await Regeneration(store, FrozenClock(), WordTokens()).regenerate(GROUP, persona, model, chunk_tokens=100)
        else:
            await PastJob(store, FrozenClock(), WordTokens(), _personas(), None, lambda _: model, pause=0.0)(GROUP)

    await held(write(), model, lambda: Eraser(store, FrozenClock()).erase(PERSON), go_on)

    await store.wipe()
    assert found_in(store_url, SECRET) == []


async def test_a_dream_that_was_under_way_changes_nothing(store: SqlStore, store_url: str) -> None:
    await fill(store)
    await _let_memories_fade(store)
    go_on = asyncio.Event()
    model = ScriptedModel(*["[]"] * 9, waits_for=go_on)
    clock = FrozenClock()
    clock.move(seconds=400 * 86400)
    job = DreamJob(store, clock, WordTokens(), lambda _: model)
    records = []

    async def dream() -> None:
        records.append(await job.about(a_persona(), SCOPE))

    await held(dream(), model, lambda: Eraser(store, clock).erase(PERSON), go_on)

    assert records[0].state is JobState.FAILED
    await store.wipe()
    assert found_in(store_url, SECRET) == []


async def test_undoing_a_dream_does_not_bring_back_what_it_forgot(store: SqlStore, store_url: str) -> None:
    await fill(store)
    async with store.write() as tx:
        editor = MemoryEditor(tx, SCOPE, MemoryPolicy(), START)
        assert await editor.apply(Forget(1, for_good=False), EditOrigin("dream", "faded", ZOE, (1,), run="r"))
    assert found_in(store_url, SECRET)

    await Eraser(store, FrozenClock()).erase(PERSON)
    undone = await take_back(store, SCOPE, "r", at=START, limits=DreamLimits())

    assert (undone.restored, found_in(store_url, SECRET)) == (0, [])


async def test_a_late_edit_is_refused_whoever_has_it_ready(store: SqlStore) -> None:
    await fill(store)
    late = await guarded(store, [GROUP, SCOPE.audience])

    await Eraser(store, FrozenClock()).erase(OneMemory(SCOPE, 1))

    with pytest.raises(Overtaken):
        async with late.write() as tx:
            await tx.memories.reserve_number(SCOPE)


async def test_work_elsewhere_is_not_disturbed(store: SqlStore) -> None:
    await fill(store)
    elsewhere = await guarded(store, [DIRECT, a_scope().audience])

    await Eraser(store, FrozenClock()).erase(DeletedMessages(GROUP, ("m1",)))

    async with elsewhere.write() as tx:
        await tx.memories.reserve_number(a_scope())


async def _let_memories_fade(store: SqlStore) -> None:
    async with store.write() as tx:
        editor = MemoryEditor(tx, SCOPE, MemoryPolicy(), START)
        for number in (1, 2):
            await editor.apply(Settle(number, Level.ARCHIVE, importance=0.01), EditOrigin("decay", "faded", ZOE))
        extra = await tx.memories.reserve_number(SCOPE)
        await editor.apply(Remember(extra, "Likes rain", ZOE), EditOrigin("persona:iris", "said", ZOE))


def _said(running: Bot, text: str, *, by_bo: bool = False) -> IncomingMessage:
    author = BO if by_bo else ZOE
    return incoming(text, message_id=f"n{len(text)}", author=author, conversation=GROUP, sent_at=running.clock.now())


def _planned(chunk: Chunk) -> Chunk:
    return replace(chunk, state=ChunkState.PLANNED, summary="", is_read=False)


def _personas() -> Personas:
    persona = a_persona()
    return Personas({persona.id: persona}, default_id=persona.id)
