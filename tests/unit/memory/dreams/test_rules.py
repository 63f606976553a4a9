"""What a dream does by rules alone, as pure values."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.fading import faded_importance
from bot.domain.memory import Forget, Level, Memory, Pin, Settle
from bot.domain.persona import MemoryPolicy
from bot.memory.dreams.plan import Change, Plan, Step
from bot.memory.dreams.rules import Survey, counts_of, crowd_out, fading_out, forget, merge_repeats
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, a_memory

DAY = timedelta(days=1)
MEMORIES = st.builds(
    lambda number, words, importance, level, uses, days, used, pinned: replace(
        a_memory(words, number=number, subject=ADA),
        importance=importance,
        level=level,
        uses=uses,
        created_at=START - days * DAY,
        updated_at=START - days * DAY,
        used_at=START - used * DAY,
        pinned=pinned,
    ),
    st.integers(1, 10_000),
    st.sampled_from(["likes tea", "loves tea", "likes jazz", "has 2 cats", "has two cats", "猫が好き"]),
    st.floats(0, 1),
    st.sampled_from(Level),
    st.integers(0, 9),
    st.floats(0, 99),
    st.floats(0, 9),
    st.booleans(),
)
SCOPES = st.lists(MEMORIES, max_size=12, unique_by=lambda memory: memory.number)


def a_fact(text: str, number: int = 1, *, idle: float = 0, **fields: object) -> Memory:
    at = START - idle * DAY
    memory = replace(a_memory(text, number=number, subject=ADA), created_at=at, updated_at=at, weighed_at=START)
    return replace(memory, **fields)  # type: ignore[arg-type]  # each test names fields of Memory


def night(memories: Iterable[Memory], policy: MemoryPolicy | None = None) -> Survey:
    """Return the survey after all rules."""
    chosen = policy or MemoryPolicy()
    survey = Survey(Plan(chosen, START), chosen, START)
    survey.take(memories)
    merge_repeats(survey)
    crowd_out(survey)
    forget(survey, fading_out(survey))
    return survey


def steps(survey: Survey) -> list[tuple[Step, int]]:
    return [(change.step, change.number) for change in survey.plan.changes]


def standing(survey: Survey) -> Sequence[Memory]:
    return survey.plan.standing(survey.memories.values())


def test_memory_sinks_with_its_importance_untouched() -> None:
    memory = a_fact("Ada likes tea", importance=0.2)

    survey = night([memory])

    assert steps(survey) == [(Step.DECAYED, 1)]
    assert standing(survey) == [replace(memory, level=Level.DEEP)]


def test_used_memory_that_sank_is_strengthened_where_it_is() -> None:
    survey = night([a_fact("Ada likes tea", importance=0.24, uses=3)])

    (memory,) = standing(survey)
    assert steps(survey) == [(Step.DECAYED, 1), (Step.REINFORCED, 1)]
    assert (memory.level, memory.uses) == (Level.DEEP, 0)
    assert memory.importance > 0.25


def test_archived_memory_that_was_used_within_a_day_becomes_deep() -> None:
    used = a_fact("Ada likes tea", level=Level.ARCHIVE, importance=0.03, used_at=START - timedelta(hours=2))
    unused = a_fact("Ada likes jazz", 2, level=Level.ARCHIVE, importance=0.03, used_at=START - timedelta(hours=25))

    survey = night([used, unused])

    assert steps(survey) == [(Step.PROMOTED, 1)]
    assert [memory.level for memory in standing(survey)] == [Level.DEEP, Level.ARCHIVE]


def test_memory_used_within_a_day_is_not_archived() -> None:
    survey = night([a_fact("Ada likes tea", importance=0.01, used_at=START)])

    assert [memory.level for memory in standing(survey)] == [Level.DEEP]


def test_of_memories_that_say_the_same_the_oldest_stays_with_the_best_of_all() -> None:
    old = a_fact("Ada loves tea", 7, idle=9, importance=0.3, level=Level.DEEP)
    strong = a_fact("Ada likes tea", 3, idle=2, importance=0.9)
    pinned = a_fact("Ada enjoys tea", 5, idle=1, importance=0.5, pinned=True)

    survey = night([strong, pinned, old])

    (change,) = survey.plan.changes
    assert change.edits == (Settle(7, Level.WORKING, 0.9), Pin(7, pinned=True), Forget(3, for_good=False), Forget(5, for_good=False))
    assert change.reason == "#3, #5 merged into #7: they say the same"
    assert [(memory.text, memory.created_at) for memory in standing(survey)] == [(old.text, old.created_at)]


def test_memories_about_or_by_different_people_are_not_merged() -> None:
    about_bo = a_fact("likes tea", 2, subject=BO)
    by_ada, by_bo = a_fact("likes tea", 3, subject=None), a_fact("likes tea", 4, subject=None, author=BO)

    assert steps(night([a_fact("likes tea"), about_bo, by_ada, by_bo])) == []


def test_memory_that_ended_is_not_merged_with_one_that_holds() -> None:
    assert steps(night([a_fact("likes tea", ended_at=START), a_fact("likes tea", 2)])) == []


def test_the_weakest_beyond_the_working_set_become_deep_and_pinned_ones_stay() -> None:
    facts = [a_fact(f"Ada owns item {number}", number, importance=0.5 + number / 100) for number in (1, 2, 3, 4)]
    pinned = a_fact("Ada owns item 5", 5, importance=0.1, pinned=True)

    survey = night([*facts, pinned], MemoryPolicy(max_working=3))

    assert steps(survey) == [(Step.CROWDED_OUT, 2), (Step.CROWDED_OUT, 1)]


def test_only_weak_idle_unpinned_archived_memories_are_forgotten() -> None:
    weak = a_fact("fact 1", idle=2, level=Level.ARCHIVE, importance=0.01)
    others = [
        a_fact("fact 2", 2, idle=2, level=Level.ARCHIVE, importance=0.021),
        a_fact("fact 3", 3, idle=0.9, level=Level.ARCHIVE, importance=0.01),
        a_fact("fact 4", 4, idle=2, level=Level.ARCHIVE, importance=0.01, pinned=True),
        a_fact("fact 5", 5, idle=2, level=Level.ARCHIVE, importance=0.01, used_at=START - timedelta(hours=25), updated_at=START),
    ]

    survey = night([weak, *others])

    assert steps(survey) == [(Step.FORGOTTEN, 1)]


def test_counts_name_every_step_and_count_what_was_merged_away() -> None:
    survey = night([a_fact("likes tea"), a_fact("loves tea", 2), a_fact("enjoys tea", 3)])

    counts = counts_of(survey.plan.changes)

    assert counts.keys() == {step.value for step in Step}
    assert counts["merged"] == 2


@given(SCOPES)
def test_every_change_names_memories_that_are_there(memories: list[Memory]) -> None:
    changes: Sequence[Change] = night(memories).plan.changes

    numbers = {memory.number for memory in memories}
    assert all(change.sources and numbers >= set(change.sources) for change in changes)
    assert all({edit.number for edit in change.edits} <= set(change.sources) for change in changes)


@given(SCOPES, st.floats(0, 1), st.integers(1, 5))
def test_importance_stays_within_0_and_1_and_pinned_memories_never_lose_any(memories: list[Memory], rate: float, max_working: int) -> None:
    policy = MemoryPolicy(decay_per_day=rate, max_working=max_working)

    after = {memory.number: memory for memory in standing(night(memories, policy))}

    assert all(0 <= memory.importance <= 1 for memory in after.values())
    for memory in memories:
        if memory.pinned and memory.number in after:
            assert faded_importance(after[memory.number], policy, START) >= memory.importance
            assert after[memory.number].level <= memory.level


@given(SCOPES)
def test_no_text_is_changed_and_none_is_lost_but_weak_archived_ones(memories: list[Memory]) -> None:
    survey = night(memories)

    after = {memory.number: memory for memory in standing(survey)}
    assert all(after[memory.number].text == memory.text for memory in memories if memory.number in after)
    forgotten = {change.number for change in survey.plan.changes if change.step is Step.FORGOTTEN}
    pinned = {memory.number for memory in memories if memory.pinned}
    assert not forgotten & pinned


@given(SCOPES)
def test_dreaming_twice_at_once_only_forgets_what_the_first_dream_archived_or_merged(memories: list[Memory]) -> None:
    first = standing(night(memories))

    again = night(first)

    assert {change.step for change in again.plan.changes} <= {Step.MERGED, Step.FORGOTTEN}


@given(SCOPES)
def test_no_dream_forgets_what_was_not_archived_before_it(memories: list[Memory]) -> None:
    archived = {memory.number for memory in memories if memory.level is Level.ARCHIVE}

    changes = night(memories).plan.changes

    assert {change.number for change in changes if change.step is Step.FORGOTTEN} <= archived
