"""A dream as a whole: what it keeps, skips, undoes, and how it goes on beside others."""

import asyncio
import json
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.job import DREAM, JobState
from bot.domain.memory import EditOrigin, Fold, Forget, Level, Memory, Remember, Revise
from bot.domain.model import ChatRequest, FinishReason
from bot.domain.persona import MemoryPolicy
from bot.errors import StoreError
from bot.memory.dreams.apply import Undone, take_back
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.past import undo
from bot.memory.edit import MemoryEditor
from bot.ports.store import Store, Transaction
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from bot.testing.factories import ADA, BO, a_scope
from bot.testing.scripted_model import Reply, ScriptedModel, saying
from tests.unit.memory.dream_stage import DAY, Sleeper

ORIGIN = EditOrigin("person:ada", "said so", ADA)
NOTHING = json.dumps({"same": [], "ended": [], "dated": []})


@pytest.fixture
def sleeper(store: SqlStore) -> Sleeper:
    return Sleeper(store)


async def something_to_dream_of(sleeper: Sleeper) -> list[Memory]:
    """Store one memory for each step, and return all."""
    await sleeper.knows("Ada likes tea", uses=3)
    await sleeper.knows("Ada loves tea")
    await sleeper.knows("Ada lives in Oslo", importance=0.2)
    await sleeper.knows("Ada had a cold", level=Level.ARCHIVE, importance=0.01, idle=2 * DAY, source_message_ids=())
    await sleeper.knows("Ada plays chess", level=Level.ARCHIVE, importance=0.03, idle=2 * DAY, used_at=sleeper.clock.now())
    return await sleeper.memories()


async def edit(sleeper: Sleeper, change: Revise | Forget) -> None:
    async with sleeper.store.write() as tx:
        assert await MemoryEditor(tx, sleeper.scope, sleeper.policy, sleeper.clock.now()).apply(change, ORIGIN)


async def test_every_change_stands_in_the_journal_with_its_run_reason_and_sources(sleeper: Sleeper) -> None:
    await something_to_dream_of(sleeper)

    report = await sleeper.dreams()

    async with sleeper.store.read() as tx:
        entries = await tx.memories.journal_of_run(sleeper.scope, report.record.run)
        kept = await tx.nights.get(report.record.run)
    assert {entry.actor for entry in entries} == {"dream"}
    assert {entry.reason for entry in entries} == {change.reason for change in report.changes}
    assert next(entry for entry in entries if entry.number == 2).source_message_ids == (1, 2)
    assert kept == report.record
    counts = {name: count for name, count in report.counts.items() if count}
    assert counts == {"decayed": 1, "reinforced": 1, "promoted": 1, "merged": 1, "forgotten": 1}


async def test_reasons_hold_no_text_of_a_memory(sleeper: Sleeper) -> None:
    await something_to_dream_of(sleeper)

    report = await sleeper.dreams()

    words = " ".join(change.reason for change in report.changes)
    assert not [word for word in ("tea", "Oslo", "cold", "chess", "Ada") if word in words]


async def test_dry_run_tells_the_same_and_changes_nothing(sleeper: Sleeper) -> None:
    before = await something_to_dream_of(sleeper)

    dry = await sleeper.dreams(dry_run=True)

    assert await sleeper.memories() == before
    async with sleeper.store.read() as tx:
        assert list(await tx.memories.journal(sleeper.scope, limit=9)) == []
        assert list(await tx.nights.history(job=DREAM, limit=9)) == []
    real = await sleeper.dreams()
    assert (list(dry.changes), dry.counts) == (list(real.changes), real.counts)


async def test_undo_restores_every_memory_as_it_was(sleeper: Sleeper) -> None:
    before = await something_to_dream_of(sleeper)
    report = await sleeper.dreams()

    undone = await undo(sleeper.store, report.record.run, at=sleeper.clock.now())

    assert undone is not None
    assert (undone.restored, undone.skipped, undone.lost) == (5, 0, 0)
    assert await sleeper.memories() == before
    async with sleeper.store.read() as tx:
        kept = await tx.nights.get(report.record.run)
        assert [memory.text for memory, _ in await tx.memories.search(sleeper.scope, "cold", limit=9)] == ["Ada had a cold"]
    assert kept is not None
    assert kept.state is JobState.UNDONE


async def test_dream_is_undone_once_only(sleeper: Sleeper) -> None:
    await something_to_dream_of(sleeper)
    report = await sleeper.dreams()
    await undo(sleeper.store, report.record.run, at=sleeper.clock.now())

    assert await undo(sleeper.store, report.record.run, at=sleeper.clock.now()) is None
    assert await undo(sleeper.store, "no such run", at=sleeper.clock.now()) is None


async def test_undo_leaves_what_was_changed_since_and_says_so(sleeper: Sleeper) -> None:
    await something_to_dream_of(sleeper)
    report = await sleeper.dreams()
    await edit(sleeper, Revise(3, "Ada lives in Bergen"))
    await edit(sleeper, Forget(1))

    undone = await undo(sleeper.store, report.record.run, at=sleeper.clock.now())

    assert undone is not None
    assert (undone.restored, undone.skipped, undone.lost) == (3, 1, 1)
    texts = [memory.text for memory in await sleeper.memories()]
    assert texts == ["Ada loves tea", "Ada lives in Bergen", "Ada had a cold", "Ada plays chess"]


async def test_taking_a_run_back_takes_what_it_added_away(sleeper: Sleeper) -> None:
    await sleeper.knows("Ada likes tea")
    async with sleeper.store.write() as tx:
        editor = MemoryEditor(tx, sleeper.scope, sleeper.policy, sleeper.clock.now())
        await editor.apply(Remember(await tx.memories.reserve_number(sleeper.scope), "Ada plays chess", ADA), replace(ORIGIN, run="a run"))

    undone = await take_back(sleeper.store, sleeper.scope, "a run", at=sleeper.clock.now(), limits=sleeper.limits)

    assert undone == Undone(restored=1)
    assert [memory.text for memory in await sleeper.memories()] == ["Ada likes tea"]


async def test_next_dream_lets_go_of_what_the_last_one_forgot(sleeper: Sleeper) -> None:
    await something_to_dream_of(sleeper)
    first = await sleeper.dreams()

    await sleeper.dreams(hours=2)
    undone = await undo(sleeper.store, first.record.run, at=sleeper.clock.now())

    assert undone is not None
    assert undone.lost == 2, "what was forgotten, and what was merged into another"
    async with sleeper.store.read() as tx:
        entries = await tx.memories.journal(sleeper.scope, number=4, limit=9)
    assert [(entry.before, entry.after) for entry in entries] == [(None, None)]


async def test_first_dream_after_weeks_archives_and_the_next_one_forgets(sleeper: Sleeper) -> None:
    for number in range(9):
        await sleeper.knows(f"Ada owns item {number}", idle=60 * DAY, importance=0.0)

    first = await sleeper.dreams()
    archived = await sleeper.memories()
    second = await sleeper.dreams(hours=24)

    assert (first.record.state, first.counts["forgotten"]) == (JobState.DONE, 0)
    assert {memory.level for memory in archived} == {Level.ARCHIVE}
    assert (second.record.state, second.counts["forgotten"]) == (JobState.DONE, 9)


@pytest.mark.parametrize("policy", [MemoryPolicy(dream=False), MemoryPolicy(enabled=False)])
async def test_where_dreams_are_switched_off_none_takes_place(sleeper: Sleeper, policy: MemoryPolicy) -> None:
    before = await something_to_dream_of(sleeper)
    sleeper.policy = policy

    report = await sleeper.dreams()

    assert (report.record.state, report.record.reason) == (JobState.SKIPPED, "switched_off")
    assert await sleeper.memories() == before


async def test_clock_that_was_set_back_does_not_keep_dreams_away(sleeper: Sleeper) -> None:
    await sleeper.dreams()

    report = await sleeper.dreams(hours=-1000)

    assert report.record.state is JobState.DONE


async def test_working_block_is_laid_down_anew_after_a_dream(sleeper: Sleeper) -> None:
    memory = await sleeper.knows("Ada likes tea")
    async with sleeper.store.write() as tx:
        await tx.memories.set_fold(sleeper.scope, Fold((memory.number,)))

    await sleeper.dreams()

    async with sleeper.store.read() as tx:
        assert await tx.memories.fold(sleeper.scope) is None


async def test_other_scopes_are_left_alone(sleeper: Sleeper) -> None:
    neighbour = Sleeper(sleeper.store, scope=a_scope(person=BO))
    await something_to_dream_of(sleeper)
    other = await neighbour.knows("Bo likes tea", uses=5, id=UUID(int=99))

    await sleeper.dreams()

    assert await neighbour.memories() == [other]


async def test_memory_that_somebody_changes_while_the_model_thinks_is_left_as_they_want_it(sleeper: Sleeper) -> None:
    await something_to_dream_of(sleeper)
    thinking = asyncio.Event()
    model = ScriptedModel('{"keep": [], "drop": [4]}', NOTHING, "I slept.", waits_for=thinking)
    dreaming = asyncio.create_task(sleeper.dreams(model))
    async with asyncio.timeout(20):
        await model.asked.wait()

    await edit(sleeper, Revise(2, "Ada loves green tea"))
    await edit(sleeper, Revise(4, "Ada had a cold in May"))
    thinking.set()
    report = await dreaming

    texts = [memory.text for memory in await sleeper.memories()]
    assert texts == ["Ada likes tea", "Ada loves green tea", "Ada lives in Oslo", "Ada had a cold in May", "Ada plays chess"]
    assert (report.record.state, report.counts["left_out"]) == (JobState.DONE, 3)


class BreakingStore:
    """A store that takes only so many writes."""

    def __init__(self, store: Store, *, writes: int) -> None:
        self._store = store
        self._left = writes
        self.open, self.close, self.read, self.wipe, self.tidy = store.open, store.close, store.read, store.wipe, store.tidy

    def write(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a transaction, or fail."""
        self._left -= 1
        if self._left < 0:
            raise StoreError("The disk is full.")
        return self._store.write()


async def break_off(sleeper: Sleeper) -> str:
    """Let a dream fail after its first two changes, and return its run."""
    broken = Sleeper(BreakingStore(sleeper.store, writes=3), limits=DreamLimits(batch=1))
    dream = broken.dream()
    with pytest.raises(StoreError):
        await dream.dream()
    return dream.run


async def test_interrupted_dream_says_so_and_can_be_undone(sleeper: Sleeper) -> None:
    before = await something_to_dream_of(sleeper)

    run = await break_off(sleeper)

    async with sleeper.store.read() as tx:
        record = await tx.nights.get(run)
    assert record is not None
    assert (record.state, record.reason) == (JobState.FAILED, "interrupted")
    assert await sleeper.memories() != before
    await undo(sleeper.store, run, at=sleeper.clock.now())
    assert await sleeper.memories() == before


async def test_a_run_that_is_gone_on_with_is_one_dream_and_undone_as_one(sleeper: Sleeper) -> None:
    before = await something_to_dream_of(sleeper)
    run = await break_off(sleeper)

    await sleeper.dream(run=run).dream()
    report = await sleeper.dream(run=run).dream()

    async with sleeper.store.read() as tx:
        assert await tx.nights.history(limit=9) == [report.record]
    assert report.record.state is JobState.DONE
    await undo(sleeper.store, run, at=sleeper.clock.now())
    assert await sleeper.memories() == before


async def test_a_run_that_is_gone_on_with_and_comes_to_nothing_can_still_be_undone(sleeper: Sleeper) -> None:
    before = await something_to_dream_of(sleeper)
    run = await break_off(sleeper)
    sleeper.policy = MemoryPolicy(dream=False)

    report = await sleeper.dream(run=run).dream()

    assert report.record.state is JobState.SKIPPED
    await undo(sleeper.store, run, at=sleeper.clock.now())
    assert await sleeper.memories() == before


async def test_dreaming_again_after_an_interruption_ends_as_if_there_had_been_none(sleeper: Sleeper) -> None:
    undisturbed = Sleeper(SqlStore(DATABASES.fresh()))
    await undisturbed.store.open()
    for each in (sleeper, undisturbed):
        await something_to_dream_of(each)

    await break_off(sleeper)
    report = await sleeper.dreams()
    await undisturbed.dreams()

    assert report.record.state is JobState.DONE
    assert await sleeper.memories() == await undisturbed.memories()
    await undisturbed.store.close()


@pytest.mark.parametrize(
    ("reply", "diary"),
    [
        ("I polished a cup. Then I slept.", "I polished a cup. Then I slept."),
        ("One. Two. Three. Four. Five. Six.", "One. Two. Three. Four."),
        ("うとうとした。夢を見たのう。", "うとうとした。夢を見たのう。"),
        ("<think>hm.</think>All is\nquiet tonight.", "All is quiet tonight."),
        ("", ""),
        ('{"diary": "I slept."}', ""),
        ("no end to this", ""),
        (saying("I sl", reason=FinishReason.LENGTH), ""),
    ],
)
async def test_diary_is_a_few_whole_sentences_or_none(sleeper: Sleeper, reply: Reply, diary: str) -> None:
    await sleeper.knows("Ada likes tea", uses=3)

    report = await sleeper.dreams(ScriptedModel(NOTHING, reply))

    assert report.record.diary == diary
    async with sleeper.store.read() as tx:
        assert await tx.nights.get(report.record.run) == report.record


async def test_diary_is_asked_for_in_the_personas_voice_and_without_a_word_of_any_memory(sleeper: Sleeper) -> None:
    await something_to_dream_of(sleeper)
    asked: list[ChatRequest] = []

    def diary(request: ChatRequest) -> str:
        asked.append(request)
        return "I slept."

    await sleeper.dreams(ScriptedModel('{"keep": [], "drop": [4]}', NOTHING, diary))

    assert "You are calm." in asked[0].text
    assert "were let go" in asked[0].text
    assert not [word for word in ("tea", "Oslo", "cold", "chess", "Ada") if word in asked[0].text]


async def test_dream_in_which_nothing_happens_has_no_diary(sleeper: Sleeper) -> None:
    await sleeper.knows("Ada likes tea")

    report = await sleeper.dreams(ScriptedModel(NOTHING))

    assert (list(report.changes), report.record.diary) == ([], "")


SCOPES = st.lists(
    st.tuples(
        st.sampled_from(["likes tea", "loves tea", "has 2 cats", "owns two cats", "plays chess", "猫が好き"]),
        st.sampled_from(Level),
        st.floats(0, 1, width=16),
        st.integers(0, 3),
        st.booleans(),
    ),
    max_size=8,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SCOPES)
async def test_undoing_a_dream_gives_back_what_was_there_and_a_refused_one_takes_nothing(
    facts: list[tuple[str, Level, float, int, bool]],
) -> None:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    sleeper = Sleeper(store)
    for text, level, importance, uses, pinned in facts:
        await sleeper.knows(text, level=level, importance=importance, uses=uses, pinned=pinned, idle=2 * DAY)
    before = await sleeper.memories()

    report = await sleeper.dreams()
    after = await sleeper.memories()
    await undo(store, report.record.run, at=sleeper.clock.now())

    assert await sleeper.memories() == before
    assert report.record.state is not JobState.REFUSED or after == before
    await store.close()
