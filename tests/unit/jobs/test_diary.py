"""A dream's diary is posted where the admins want to read it, and nowhere else."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest

from bot.domain.chat import ConversationKey, MemoryScope, space_of
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.message import OutboxEntry, ReplyTarget
from bot.domain.night import diary_setting
from bot.domain.persona import Persona
from bot.jobs.diary import ToldDreams
from bot.memory.dreams.dream import DreamReport
from bot.queueing.inprocess import InProcessQueue
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.factories import DIRECT, GROUP, a_persona, a_scope, kind_of

CLUB = a_scope(GROUP)
DREAMT = JobRecord("1", DREAM, str(CLUB), JobState.DONE, START, 1.0, diary="I let three memories go.")


@dataclass(slots=True)
class Dreams:
    """Dreams that end as they are told to."""

    record: JobRecord

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False, run: str = "") -> DreamReport:
        return DreamReport(self.record)


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    yield store
    await store.close()


async def ask_for_diary(store: SqlStore, scope: MemoryScope, conversation: ConversationKey) -> None:
    async with store.write() as tx:
        await tx.settings.set(*space_of(scope.audience), diary_setting(scope.audience), str(conversation))


async def posted(store: SqlStore, conversation: ConversationKey) -> list[OutboxEntry]:
    async with store.read() as tx:
        return list(await tx.outbox.unsent(conversation))


def told(store: SqlStore, record: JobRecord = DREAMT) -> ToldDreams:
    clock = FrozenClock()
    return ToldDreams(Dreams(record), store, clock, InProcessQueue(clock))


@pytest.mark.parametrize("conversation", [GROUP, DIRECT])
async def test_the_diary_is_posted_in_the_conversation_and_is_no_part_of_its_history(
    store: SqlStore, conversation: ConversationKey
) -> None:
    scope = a_scope(conversation)
    await ask_for_diary(store, scope, conversation)

    record = await told(store).about(a_persona(), scope)

    (entry,) = await posted(store, conversation)
    assert record == DREAMT
    assert (entry.text, entry.target) == ("🌙 I let three memories go.", ReplyTarget(conversation, kind_of(conversation)))
    async with store.read() as tx:
        assert await tx.messages.history(conversation, limit=9) == []


async def test_where_nobody_asked_for_it_nothing_is_posted(store: SqlStore) -> None:
    await ask_for_diary(store, a_scope(replace(GROUP, channel_id="kitchen")), GROUP)

    await told(store).about(a_persona(), CLUB)

    assert await posted(store, GROUP) == []


@pytest.mark.parametrize(
    ("record", "dry_run"),
    [
        pytest.param(replace(DREAMT, diary=""), False, id="no diary"),
        pytest.param(replace(DREAMT, state=JobState.REFUSED), False, id="refused"),
        pytest.param(replace(DREAMT, state=JobState.SKIPPED), False, id="skipped"),
        pytest.param(DREAMT, True, id="dry"),
    ],
)
async def test_a_dream_that_came_to_nothing_is_not_told(store: SqlStore, record: JobRecord, dry_run: bool) -> None:
    await ask_for_diary(store, CLUB, GROUP)

    report = await told(store, record).report(a_persona(), CLUB, dry_run=dry_run)

    assert report.record == record
    assert await posted(store, GROUP) == []


async def test_a_dream_that_was_told_before_a_kill_is_not_told_again(store: SqlStore) -> None:
    await ask_for_diary(store, CLUB, GROUP)
    async with store.write() as tx:
        await tx.nights.finish(DREAMT)

    await told(store).report(a_persona(), CLUB, run=DREAMT.run)

    assert await posted(store, GROUP) == []
