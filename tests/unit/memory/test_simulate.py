"""What a policy would make of memories, without a store."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.memory import Level
from bot.domain.persona import SEED, MemoryPolicy
from bot.memory.simulate import examples, simulate
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.databases import DATABASES
from bot.testing.factories import a_memory
from tests.unit.memory.dream_stage import Sleeper


def test_unused_memory_sinks_level_by_level_and_is_forgotten() -> None:
    (course,) = simulate([a_memory("Ada likes tea")], SEED, start=START, days=20)

    levels = [state.level if state else None for state in course.days]
    assert levels == [Level.WORKING] * 7 + [Level.DEEP] * 6 + [Level.ARCHIVE] * 2 + [None] * 6
    assert course.forgotten_on == 15
    assert course.strengths[:3] == pytest.approx((0.75, 0.70, 0.65))


def test_pinned_memory_stays_and_a_used_one_outlives_an_unused() -> None:
    new = examples(MemoryPolicy(), a_memory("Ada likes tea"))

    courses = simulate(new.values(), MemoryPolicy(), start=START, days=90, used=lambda day: [new["used"].number] if day % 7 == 0 else [])

    used, unused, pinned = courses
    assert set(pinned.strengths) == {0.75}
    assert unused.forgotten_on == 37
    assert used.forgotten_on is None
    assert used.strengths[-1] > 0.5


def test_working_set_stays_within_the_policy() -> None:
    memories = [a_memory(f"fact {number}", number=number) for number in range(1, 6)]

    courses = simulate(memories, MemoryPolicy(max_working=3), start=START, days=1)

    assert [course.days[1] and course.days[1].level for course in courses] == [Level.DEEP] * 2 + [Level.WORKING] * 3


@given(st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_strengths_stay_within_0_and_1(importance: float, rate: float, pinned: bool) -> None:
    memory = replace(a_memory("Ada likes tea"), importance=importance, pinned=pinned)

    (course,) = simulate([memory], MemoryPolicy(decay_per_day=rate), start=START, days=9, used=lambda day: [1] if day == 3 else [])

    assert all(0 <= strength <= 1 for strength in course.strengths)
    assert not pinned or course.forgotten_on is None


async def test_a_night_is_simulated_as_a_dream_would_do_it() -> None:
    sleeper = Sleeper(SqlStore(DATABASES.fresh()), SEED)
    await sleeper.store.open()
    for number in range(12):
        await sleeper.knows(f"fact {number}", importance=number / 12, level=Level(number % 3 + 1), uses=number % 4, idle=timedelta(days=3))
    foreseen = simulate(await sleeper.memories(), SEED, start=START, days=1)

    await sleeper.dreams(hours=24)

    assert [course.days[1] for course in foreseen if course.days[1]] == await sleeper.memories()
    await sleeper.store.close()
