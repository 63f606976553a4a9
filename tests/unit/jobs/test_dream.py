"""A persona's dreams: one for each of its scopes, each by its own policy and failing alone."""

from collections.abc import AsyncIterator, Callable
from uuid import UUID

import pytest

from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.limits import HouseRules, Limits
from bot.domain.memory import Level
from bot.domain.model import ChatRequest, ModelEvent, TextDelta, Usage
from bot.domain.persona import Persona
from bot.jobs.dream import DreamJob
from bot.jobs.night import places_of
from bot.memory.policy import PREFIX
from bot.memory.spending import TOKENS_SPENT, Spending
from bot.ports.clock import Clock
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.storage.store import SqlStore
from bot.testing.factories import BO, GROUP, a_persona, a_scope
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens
from tests.unit.memory.dream_stage import DAY, Sleeper

PRIVATE, ROOM, BOS = a_scope(), a_scope(GROUP), a_scope(person=BO)


class BrokenModel(ScriptedModel):
    """A plugin's model with a mistake in it."""

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Divide by zero."""
        yield TextDelta(str(1 // 0))


@pytest.fixture
async def sleepers(store: SqlStore) -> list[Sleeper]:
    """Return one sleeper for each of three scopes, each with a memory about to be forgotten."""
    sleepers = [Sleeper(store, scope=scope) for scope in (PRIVATE, ROOM, BOS)]
    for place, sleeper in enumerate(sleepers):
        await sleeper.knows("Ada had a cold", level=Level.ARCHIVE, importance=0.0, idle=2 * DAY, id=UUID(int=place))
    return sleepers


def job_on(store: Store, clock: Clock, model_of: Callable[[Persona], ChatModel | None] = lambda _: None) -> DreamJob:
    return DreamJob(store, clock, WordTokens(), model_of)


async def all_dreams(job: DreamJob, persona: Persona) -> list[JobRecord]:
    """Dream about every scope of a persona, each by the policy that holds there."""
    return [await job.about(by_its_policy, scope) async for by_its_policy, scope in places_of(job.store, persona)]


async def test_persona_dreams_about_every_scope_of_its_own(sleepers: list[Sleeper]) -> None:
    job = job_on(sleepers[0].store, sleepers[0].clock)

    records = await all_dreams(job, a_persona())
    others = await all_dreams(job, a_persona("otto"))

    assert {record.subject for record in records} == {str(PRIVATE), str(ROOM), str(BOS)}
    assert {record.state for record in records} == {JobState.DONE}
    assert [await sleeper.memories() for sleeper in sleepers] == [[], [], []]
    assert others == []


async def test_each_scope_is_dreamt_about_by_what_its_space_has_set(sleepers: list[Sleeper]) -> None:
    async with sleepers[0].store.write() as tx:
        await tx.settings.set("discord", "club", f"{PREFIX}dream", "false")

    records = await all_dreams(job_on(sleepers[0].store, sleepers[0].clock), a_persona())

    assert {record.subject: record.reason for record in records} == {str(PRIVATE): "", str(ROOM): "switched_off", str(BOS): ""}
    assert [len(await sleeper.memories()) for sleeper in sleepers] == [0, 1, 0]


async def test_dream_that_fails_is_kept_as_failed_and_keeps_no_other_from_its_own(sleepers: list[Sleeper]) -> None:
    models = iter([BrokenModel("?"), None, None])
    job = job_on(sleepers[0].store, sleepers[0].clock, lambda _: next(models))

    records = await all_dreams(job, a_persona())

    assert [record.state for record in records].count(JobState.FAILED) == 1
    async with sleepers[0].store.read() as tx:
        kept = await tx.nights.history(job=DREAM, limit=9)
    assert sorted(record.reason for record in kept) == ["", "", "ZeroDivisionError"]
    assert sum([len(await sleeper.memories()) for sleeper in sleepers]) == 1


async def test_dry_run_that_fails_leaves_no_record(sleepers: list[Sleeper]) -> None:
    job = job_on(sleepers[0].store, sleepers[0].clock, lambda _: BrokenModel("?"))

    report = await job.report(a_persona(), PRIVATE, dry_run=True)

    assert report.record.state is JobState.FAILED
    async with sleepers[0].store.read() as tx:
        assert list(await tx.nights.history(job=DREAM, limit=9)) == []


async def test_dreams_count_and_are_left_to_the_next_night_when_the_tokens_are_spent(sleepers: list[Sleeper]) -> None:
    _, sleeper, _ = sleepers
    store, clock, today = sleeper.store, sleeper.clock, sleeper.clock.now().date()
    model = ScriptedModel('{"keep": [], "drop": [1]}', "A quiet night.")
    budgets = Spending(store, clock, HouseRules(Limits(tokens_day=1)))
    job = DreamJob(store, clock, WordTokens(), lambda _: model, spending=budgets)
    async with store.write() as tx:
        await tx.usage.add(GROUP, "otto", Usage("m", 1, 0), clock.now() - DAY)
        await tx.usage.add(GROUP, "otto", Usage("m", 1, 0), clock.now())

    waited = await job.about(a_persona(), ROOM)
    clock.move(seconds=DAY.total_seconds())
    dreamt = await job.about(a_persona(), ROOM)

    assert (waited.state, waited.reason, dreamt.state) == (JobState.SKIPPED, TOKENS_SPENT, JobState.DONE)
    async with store.read() as tx:
        assert await tx.usage.spent(today + DAY, space=("discord", "club"), persona_id="iris") > len(model.prompts)
    assert await sleeper.memories() == []
