"""The background's work on one conversation."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.limits import HouseRules, Limits
from bot.domain.model import Usage
from bot.domain.past import ChunkState, CorpusKey
from bot.domain.steps import USUAL_WRITERS
from bot.errors import ModelUnavailable
from bot.jobs.past import HELD_PAUSE, PAUSE
from bot.llm.embedders.hashing import HashingEmbedder
from bot.memory.past.learning import LEARNT_AT_ONCE
from bot.memory.past.lease import HeldLease
from bot.memory.spending import Spending
from bot.nlp.rule_extractor import RuleExtractor
from bot.queueing.inprocess import InProcessQueue
from bot.storage.store import SqlStore
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_scope
from bot.testing.scribe import Asked, Scribe
from tests.unit.memory.past.stage import SMALL, Room, words


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Give a room in which a persona remembers all it can."""
    store = SqlStore(database_url)
    await store.open()
    yield Room(store, replace(SMALL, chunk_lookback=0), USUAL_WRITERS)
    await store.close()


async def found(room: Room) -> int:
    async with room.store.read() as tx:
        return len((await tx.corpora.documents(CorpusKey(room.conversation))).ids)


async def test_without_a_model_what_was_said_is_still_found(room: Room) -> None:
    await room.says(*(f"message {number}" for number in range(10)))

    await room.check(None)

    assert await found(room) == 10
    assert await room.chunks() == []


@pytest.mark.parametrize("setting", ["memory.enabled", "memory.past"])
async def test_nothing_is_written_where_it_is_turned_off(room: Room, setting: str) -> None:
    await room.says(words(2000))
    async with room.store.write() as tx:
        await tx.settings.set("discord", "person:ada", setting, "off")
    scribe = Scribe()

    await room.check(scribe)

    assert (await found(room), scribe.prompts) == (0, [])


async def test_where_nobody_spoke_nothing_is_done(room: Room) -> None:
    await room.check(Scribe())

    assert await room.chunks() == []


async def test_an_outage_leaves_the_rest_to_the_next_run(room: Room) -> None:
    await room.says(*(f"message {number}" for number in range(5)))
    from_outage = Scribe({kind: [ModelUnavailable("out")] for kind in Asked})

    await room.check(from_outage)
    await room.check(Scribe())

    assert len(from_outage.prompts) == 1
    assert len(await room.chunks()) == 1


async def test_a_broken_part_is_logged_and_stops_nothing_else(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    await room.says(*(f"message {number}" for number in range(5)))
    broken = Scribe({kind: [RuntimeError("broken")] for kind in Asked})

    await room.check(broken)

    assert "past_failed" in capsys.readouterr().out
    async with room.store.read() as tx:
        assert await tx.leases.all() == []


async def test_it_waits_until_nobody_has_written_for_a_moment(room: Room) -> None:
    await room.says("hello")

    await replace(room.job(None), pause=PAUSE)(DIRECT)

    assert room.clock.slept == [PAUSE]


@pytest.mark.parametrize("conversation", [DIRECT, GROUP], ids=["direct", "group"])
async def test_names_are_learnt_for_the_audience_of_their_place_alone(room: Room, conversation: ConversationKey) -> None:
    room.conversation = conversation
    await room.says(*["Alice moved to Paris."] * (LEARNT_AT_ONCE + 5))
    job = replace(room.job(None), extractor=RuleExtractor())

    await job(room.conversation)

    async with room.store.read() as tx:
        state = await tx.pasts.state(conversation)
        names = {facts.name for facts in await tx.entities.page(a_scope(conversation).audience, limit=9)}
        elsewhere = await tx.entities.page(a_scope(GROUP if conversation == DIRECT else DIRECT).audience, limit=9)
    assert {"Paris"} <= names
    assert list(elsewhere) == []
    assert state.related_row == state.indexed_row


async def test_what_the_model_proposes_is_kept_as_far_as_the_chunk_says_so(room: Room) -> None:
    await room.says("I moved to Lisbon last week.", "How nice!", author=ADA)
    await room.says("My brother Tom lives in Oslo.", "And it rains.", "So it goes.", author=BO)
    triples = "SPEAKER | lives_in | Lisbon\nTom | lives_in | Oslo\nTom | works_at | NASA"
    room.conversation = DIRECT

    await room.check(Scribe({Asked.OTHER: [triples]}))

    async with room.store.read() as tx:
        about = await tx.relations.about(a_scope(person=BO).audience, ["ada", "tom"], limit=9)
    assert {(relation.subject, relation.predicate, relation.object) for relation in about} == {
        ("Ada", "lives_in", "Lisbon"),
        ("Tom", "lives_in", "Oslo"),
    }


async def test_an_outage_while_relations_are_asked_for_costs_no_structured_memory(room: Room) -> None:
    await room.says(*(f"message {number}" for number in range(5)))

    await room.check(Scribe({Asked.OTHER: [ModelUnavailable("out")]}))
    again = Scribe()
    await room.check(again)

    assert len(await room.structured()) == 1
    assert again.of(Asked.STRUCTURED) == []


class Rings(InProcessQueue):
    """A queue that notes its rings."""

    def __init__(self, room: Room) -> None:
        super().__init__(room.clock)
        self.rung: list[ConversationKey] = []

    async def ring(self, conversation: ConversationKey) -> None:
        """Note a ring."""
        self.rung.append(conversation)


async def test_after_a_start_conversations_that_are_not_done_with_are_looked_at(room: Room) -> None:
    elsewhere = Room(room.store, SMALL, conversation=GROUP)
    await room.says("hello")
    await elsewhere.says("never seen by the background")
    await room.check(Scribe())
    done, new, other = Rings(room), Rings(room), Rings(room)

    await room.job(None).recover(done, ["discord"])
    room.embedder = HashingEmbedder()
    await room.job(None).recover(other, ["discord"])
    room.embedder = None
    await room.says("again")
    await room.job(None).recover(new, ["discord", "telegram"])

    assert (done.rung, other.rung, new.rung) == ([], [DIRECT], [DIRECT])


async def test_after_a_start_a_chunk_that_is_still_to_be_written_is_a_reason_to_look(room: Room) -> None:
    await room.says(words(1200))
    await room.check(Scribe({Asked.CHUNK: [""]}))
    rings = Rings(room)

    await room.job(None).recover(rings, ["discord"])

    assert rings.rung == [DIRECT]


async def test_what_is_written_counts_and_waits_for_tokens_without_being_lost_or_counted_as_a_failure(room: Room) -> None:
    await room.says(*(f"message {number}" for number in range(5)))
    budget = HouseRules(Limits(tokens_day=5))
    job = replace(room.job(writer := Scribe()), spending=Spending(room.store, room.clock, budget))
    day = room.clock.now().date()
    async with room.store.write() as tx:
        await tx.usage.add(DIRECT, room.persona.id, Usage("m", 4, 0), room.clock.now())

    await job(DIRECT)
    await room.says(*(f"more {number}" for number in range(5)))
    await job(DIRECT)

    asked = len(writer.prompts)
    async with room.store.read() as tx:
        spent = await tx.usage.spent(day, space=("discord", DIRECT.space_id))
    (left,) = await room.chunks(ChunkState.PLANNED)
    assert (asked, spent, left.failures) == (1, 6, 0)

    queue, rung = InProcessQueue(room.clock), []
    await job.go_on(queue)
    room.clock.move(seconds=24 * 3600)
    assert list(job.waiting) == [DIRECT]
    async with asyncio.TaskGroup() as tasks:

        async def take(conversation: ConversationKey) -> None:
            rung.append(conversation)
            await job(conversation)

        serving = tasks.create_task(queue.run(take))
        await job.go_on(queue)
        await queue.idle()
        serving.cancel()
    assert (rung, len(writer.prompts) > asked, await room.chunks(ChunkState.PLANNED)) == ([DIRECT], True, [])


async def test_what_somebody_else_is_at_is_looked_at_again_a_little_later(room: Room) -> None:
    await room.says(*(f"message {number}" for number in range(10)))
    job, rings = room.job(None), Rings(room)

    await HeldLease(room.store).hold(DIRECT, partial(job, DIRECT))
    await job.go_on(rings)
    too_early = list(rings.rung)
    room.clock.move(seconds=HELD_PAUSE.total_seconds())
    await job.go_on(rings)

    assert (await found(room), too_early, rings.rung, job.waiting) == (0, [], [DIRECT], {})
