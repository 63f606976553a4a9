"""The background's work on one conversation."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest

from bot.domain.chat import Audience
from bot.domain.message import StoredMessage
from bot.domain.past import CorpusKey
from bot.domain.steps import USUAL_WRITERS
from bot.errors import ModelUnavailable
from bot.jobs.past import PAUSE, PastJob
from bot.memory.past.learning import LEARNT_AT_ONCE, Store
from bot.memory.past.writers import Writers
from bot.ports.store import Transaction
from bot.storage.store import SqlStore
from bot.testing.factories import DIRECT, GROUP, a_scope
from bot.testing.scribe import Asked, Scribe
from tests.unit.memory.past.stage import SMALL, Room, words


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """Give a room in which a persona remembers all it can."""
    store = SqlStore(sqlite_url)
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


class Reader:
    """Learns from messages: it keeps their audiences and rows."""

    def __init__(self) -> None:
        self.read: list[tuple[Audience, int]] = []
        self.problem: Exception | None = None

    async def __call__(self, writers: Writers, audience: Audience, messages: Sequence[StoredMessage]) -> Store:
        """Return what notes the messages."""

        async def store(tx: Transaction) -> None:
            self.read += [(audience, message.id) for message in messages]

        if self.problem is not None:
            raise self.problem
        return store


def learning(room: Room, reader: Reader) -> PastJob:
    return replace(room.job(None), learn=reader)


@pytest.mark.parametrize("conversation", [DIRECT, GROUP])
async def test_each_message_is_read_for_names_once_and_for_its_own_audience(room: Room, conversation: object) -> None:
    room.conversation = DIRECT if conversation == DIRECT else GROUP
    said = await room.says(*(f"message {number}" for number in range(LEARNT_AT_ONCE + 5)))
    reader = Reader()

    await learning(room, reader)(room.conversation)
    await learning(room, reader)(room.conversation)

    assert reader.read == [(a_scope(room.conversation).audience, message.id) for message in said]


async def test_what_could_not_be_learnt_is_read_again(room: Room) -> None:
    said = await room.says("one", "two")
    reader = Reader()
    reader.problem = ModelUnavailable("out")
    await learning(room, reader)(DIRECT)
    reader.problem = None

    await learning(room, reader)(DIRECT)

    assert [row for _, row in reader.read] == [message.id for message in said]
