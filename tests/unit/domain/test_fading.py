"""Fading is reckoned when it is read, so it does not matter what runs, or how often."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.fading import clamped, faded_importance, level_for
from bot.domain.memory import Level, Memory
from bot.domain.persona import SEED, MemoryPolicy
from bot.testing.clock import START
from bot.testing.factories import a_memory

IMPORTANCE = st.floats(0, 1)
DAYS = st.floats(0, 400)
RATES = st.floats(0, 1)


def fact(importance: float, *, level: Level = Level.WORKING, pinned: bool = False) -> Memory:
    return replace(a_memory("Ada likes tea"), importance=importance, level=level, pinned=pinned, weighed_at=START)


def after(days: float) -> timedelta:
    return timedelta(days=days)


@given(st.floats(allow_nan=True), DAYS, RATES, st.booleans())
def test_importance_is_always_within_0_and_1(importance: float, days: float, rate: float, pinned: bool) -> None:
    left = faded_importance(fact(importance, pinned=pinned), MemoryPolicy(decay_per_day=rate), START + after(days))

    assert 0 <= left <= 1


@given(IMPORTANCE, RATES, st.lists(DAYS, min_size=1, max_size=9))
def test_it_does_not_matter_how_often_the_level_is_settled(importance: float, rate: float, stops: list[float]) -> None:
    policy = MemoryPolicy(decay_per_day=rate)
    often = once = fact(importance)

    for stop in sorted(stops):
        often = replace(often, level=level_for(often, policy, START + after(stop)))

    end = START + after(max(stops))
    assert faded_importance(often, policy, end) == faded_importance(once, policy, end)
    assert often.level is level_for(once, policy, end)


@given(IMPORTANCE, DAYS, RATES, st.sampled_from(Level))
def test_pinned_memories_never_fade(importance: float, days: float, rate: float, level: Level) -> None:
    memory, policy = fact(importance, level=level, pinned=True), MemoryPolicy(decay_per_day=rate)

    assert faded_importance(memory, policy, START + after(days)) == importance
    assert level_for(memory, policy, START + after(days)) is level


@given(IMPORTANCE, DAYS, DAYS)
def test_importance_never_rises_with_time(importance: float, earlier: float, longer: float) -> None:
    memory, policy = fact(importance), MemoryPolicy()

    before, later = START + after(earlier), START + after(earlier + longer)

    assert faded_importance(memory, policy, later) <= faded_importance(memory, policy, before)
    assert level_for(memory, policy, later) >= level_for(memory, policy, before)


@given(IMPORTANCE, DAYS)
def test_clock_set_back_fades_nothing(importance: float, days: float) -> None:
    assert faded_importance(fact(importance), MemoryPolicy(), START - after(days)) == importance


def test_memory_never_weighed_fades_from_its_creation() -> None:
    memory = replace(a_memory("Ada likes tea"), importance=0.75, created_at=START)

    assert faded_importance(memory, SEED, START + after(10)) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("importance", "level"),
    [(0.40, Level.WORKING), (0.39, Level.DEEP), (0.10, Level.DEEP), (0.09, Level.ARCHIVE), (0.0, Level.ARCHIVE)],
)
def test_levels_begin_at_the_thresholds(importance: float, level: Level) -> None:
    assert level_for(fact(importance), SEED, START) is level


def test_fading_alone_lifts_no_level() -> None:
    assert level_for(fact(0.9, level=Level.ARCHIVE), SEED, START) is Level.ARCHIVE
    assert level_for(fact(0.2, level=Level.ARCHIVE), SEED, START) is Level.ARCHIVE


def test_what_is_no_number_counts_as_0() -> None:
    assert clamped(float("nan")) == 0
    assert clamped(float("inf")) == 1
    assert clamped(-1) == 0
