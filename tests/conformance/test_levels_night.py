"""Memory that strengthens, fades and dreams: L21 to L28 and L30; L31 stands beside this file."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.fading import faded_importance
from bot.domain.job import JobState
from bot.domain.memory import Level, Memory
from bot.domain.persona import SEED, MemoryMode, MemoryPolicy
from bot.errors import ModelUnavailable
from bot.memory.decay import decay
from bot.memory.dreams.limits import DreamLimits
from bot.storage.store import SqlStore
from bot.testing.bot import make_bot
from bot.testing.factories import BO, a_persona, a_scope
from bot.testing.scripted_model import ScriptedModel
from tests.unit.memory.dream_stage import DAY, Sleeper


@pytest.fixture
def sleeper(store: SqlStore) -> Sleeper:
    """Return a persona with the seed preset's policy, about to dream."""
    return Sleeper(store, SEED)


@pytest.mark.parametrize(("times", "hours"), [pytest.param(1, 240, id="once"), pytest.param(240, 1, id="hourly")])
async def test_l21_ten_days_take_the_same_whether_decay_runs_once_or_hourly(sleeper: Sleeper, times: int, hours: int) -> None:
    memory = await sleeper.knows("Ada likes tea", importance=0.75)

    for _ in range(times):
        sleeper.clock.move(seconds=hours * 3600)
        await decay(sleeper.store, sleeper.scope, SEED, at=sleeper.clock.now())

    after = await known(sleeper, memory.number)
    assert faded_importance(after, SEED, sleeper.clock.now()) == pytest.approx(0.25, abs=0.005)
    assert after.level is Level.DEEP


async def test_l22_what_has_faded_below_the_archives_threshold_is_archived(sleeper: Sleeper) -> None:
    memory = await sleeper.knows("Ada likes tea", importance=0.45)

    sleeper.clock.move(seconds=8 * 86400)
    sunk = [await decay(sleeper.store, sleeper.scope, SEED, at=sleeper.clock.now()) for _ in range(3)]

    after = await known(sleeper, memory.number)
    assert faded_importance(after, SEED, sleeper.clock.now()) == pytest.approx(0.05)
    assert after.level is Level.ARCHIVE
    assert sunk == [1, 0, 0]


async def test_l23_clock_set_back_changes_no_importance(sleeper: Sleeper) -> None:
    memory = await sleeper.knows("Ada likes tea", importance=0.75)

    sleeper.clock.move(seconds=-10 * 86400)
    await decay(sleeper.store, sleeper.scope, SEED, at=sleeper.clock.now())

    after = await known(sleeper, memory.number)
    assert after == memory
    assert faded_importance(after, SEED, sleeper.clock.now()) == 0.75


async def test_l24_uses_strengthen_and_are_counted_anew(sleeper: Sleeper) -> None:
    memory = await sleeper.knows("Ada likes tea", importance=0.80, uses=3)

    report = await sleeper.dreams()

    after = await known(sleeper, memory.number)
    assert after.importance == pytest.approx(0.869, abs=0.001)
    assert after.uses == 0
    assert report.counts["reinforced"] == 1


async def test_l25_weak_archived_memory_is_forgotten_once_and_reported(sleeper: Sleeper) -> None:
    memory = await sleeper.knows("Ada likes tea", level=Level.ARCHIVE, importance=0.01, idle=2 * DAY)

    reports = [await sleeper.dreams(hours=2) for _ in range(3)]

    assert [report.counts["forgotten"] for report in reports] == [1, 0, 0]
    assert {"decayed", "promoted", "reinforced", "forgotten", "retained_by_dreamer"} <= reports[0].counts.keys()
    assert reports[0].duration_seconds > 0
    async with sleeper.store.read() as tx:
        assert await tx.memories.get(sleeper.scope, memory.number) is None
        assert await tx.memories.by_handle(sleeper.scope, memory.handle) is None
        assert await tx.memories.search(sleeper.scope, "tea", limit=9) == []


async def test_l26_memory_that_the_model_keeps_comes_back(sleeper: Sleeper) -> None:
    memory = await sleeper.knows("Ada is allergic to peanuts", level=Level.ARCHIVE, importance=0.01, idle=2 * DAY)

    report = await sleeper.dreams(ScriptedModel('{"keep": [1], "drop": []}', "I held on to one."))

    after = await known(sleeper, memory.number)
    assert after.level is Level.WORKING
    assert after.importance == pytest.approx(SEED.demote_below + 0.05)
    assert (report.counts["retained_by_dreamer"], report.counts["forgotten"]) == (1, 0)


async def test_l26_memory_that_the_model_drops_is_forgotten(sleeper: Sleeper) -> None:
    memory = await sleeper.knows("Ada is hungry", level=Level.ARCHIVE, importance=0.01, idle=2 * DAY)

    report = await sleeper.dreams(ScriptedModel('{"keep": [], "drop": [1]}', "I let one go."))

    assert await sleeper.memory(memory.number) is None
    assert (report.counts["retained_by_dreamer"], report.counts["forgotten"]) == (0, 1)


async def test_l26_memory_is_untouched_when_the_model_does_not_answer_in_time(sleeper: Sleeper) -> None:
    memory = await sleeper.knows("Ada is hungry", level=Level.ARCHIVE, importance=0.01, idle=2 * DAY)
    sleeper.limits = DreamLimits(seconds=0.1)
    never = asyncio.Event()

    report = await sleeper.dreams(ScriptedModel('{"keep": [], "drop": [1]}', waits_for=never))

    assert await sleeper.memory(memory.number) == memory
    assert (report.record.state, report.counts["forgotten"]) == (JobState.DONE, 0)


@pytest.mark.parametrize("reply", [ModelUnavailable("out"), "I cannot say.", "", '{"keep": [1], "drop": [1]}', '{"keep": [9]}'])
async def test_l26_memory_is_untouched_when_the_model_does_not_decide(sleeper: Sleeper, reply: str | Exception) -> None:
    memory = await sleeper.knows("Ada is hungry", level=Level.ARCHIVE, importance=0.01, idle=2 * DAY)

    report = await sleeper.dreams(ScriptedModel(reply, reply))

    assert await sleeper.memory(memory.number) == memory
    assert (report.record.state, report.counts["forgotten"]) == (JobState.DONE, 0)


async def test_l26_memory_used_two_hours_ago_becomes_deep_again(sleeper: Sleeper) -> None:
    used_at = sleeper.clock.now() - timedelta(hours=2)
    memory = await sleeper.knows("Ada likes tea", level=Level.ARCHIVE, importance=0.03, idle=3 * DAY, used_at=used_at)

    report = await sleeper.dreams(ScriptedModel("One came back to me."))

    assert (await known(sleeper, memory.number)).level is Level.DEEP
    assert report.counts["promoted"] == 1


async def test_l27_dream_ten_minutes_after_the_last_is_skipped_also_after_a_restart(store_url: str) -> None:
    sleeper = Sleeper(SqlStore(store_url), SEED)
    await sleeper.store.open()
    await sleeper.knows("Ada likes tea", uses=1)
    await sleeper.dreams()
    await sleeper.store.close()

    sleeper.store = SqlStore(store_url)
    await sleeper.store.open()
    report = await sleeper.dreams(hours=1 / 6)
    later = await sleeper.dreams(hours=1)
    await sleeper.store.close()

    assert (report.record.state, report.record.reason) == (JobState.SKIPPED, "too_soon")
    assert later.record.state is JobState.DONE


async def test_l28_unrelated_facts_keep_their_texts_through_a_dream_and_a_restart(store_url: str) -> None:
    sleeper = Sleeper(SqlStore(store_url), SEED)
    texts = ["Ada has a bicycle", "Bo lives in Oslo", "the club meets on Monday", "Ada hates rain", "likes jazz"]
    texts += ["likes jazz from the twenties, above all Django Reinhardt", "Fix dinner, 3 < 5"]
    await sleeper.store.open()
    for text in texts:
        await sleeper.knows(text, importance=0.40)

    await sleeper.dreams()
    await sleeper.store.close()

    sleeper.store = SqlStore(store_url)
    await sleeper.store.open()
    after = await sleeper.memories()
    await sleeper.store.close()
    assert [memory.text for memory in after] == texts


async def test_l30_nothing_that_bob_does_reaches_alices_memories(store_url: str) -> None:
    tags = '<mem_tag id="1"/><mem_load id="1"/><mem_update id="1">Bo was here</mem_update><mem_delete id="1"/>Done.'
    model = ScriptedModel(tags)
    async with make_bot(model, database=store_url, personas=[replace(a_persona(), memory=MemoryPolicy(mode=MemoryMode.TAGS))]) as bot:
        alice, bob = Sleeper(bot.store, SEED), Sleeper(bot.store, SEED, a_scope(person=BO))
        before = [
            await alice.knows("Alice likes tea", uses=2),
            await alice.knows("Alice had a cold", level=Level.ARCHIVE, importance=0.01, idle=2 * DAY),
        ]
        await bot.say(f"tea? {before[0].handle}", author=BO)

        lines = ("memory list", "memory search tea", "memory edit 1 gone", "memory pin 1", "memory forget 1", "memory history 1")
        shown = [(await bot.command(line, asker=BO)).text for line in lines]
        report = await bob.dreams()

        assert not [text for text in shown if "Alice" in text]
        assert list(report.changes) == []
        assert await alice.memories() == before
        assert "Alice" not in "".join(prompt.text for prompt in model.prompts)


async def known(sleeper: Sleeper, number: int) -> Memory:
    memory = await sleeper.memory(number)
    assert memory is not None
    return memory
