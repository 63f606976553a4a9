"""What a model may not do to memories."""

from dataclasses import replace
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.domain.memory import End, Forget, Level, Memory
from bot.domain.persona import MemoryPolicy
from bot.memory.dreams.checks import NO_SOURCE, TOO_MUCH, dating_problem, ending_problem, merge_problem, refusal
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.plan import Change, Plan, Step
from bot.memory.dreams.rules import Survey
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, a_memory


def fact(text: str, number: int = 1, **fields: object) -> Memory:
    memory = a_memory(text, number=number, subject=ADA)
    return replace(memory, **fields)  # type: ignore[arg-type]  # each test names fields of Memory


def facts(*texts: str) -> list[Memory]:
    return [fact(text, number) for number, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("texts", "merged"),
    [
        (["Ada likes jazz", "is really into jazz music, mostly bebop"], "Loves jazz music, mostly bebop"),
        (["lives in Kyoto", "Ada lives near the river in Kyoto"], "lives in Kyoto near the river"),
        (["猫が好き", "猫を二匹飼っている"], "猫が好きで、猫を二匹飼っている"),
    ],
)
def test_one_text_that_says_all_and_no_more_may_take_the_place_of_several(texts: list[str], merged: str) -> None:
    assert merge_problem(facts(*texts), merged) == ""


@pytest.mark.parametrize(
    ("texts", "merged", "problem"),
    [
        (["likes jazz", "likes jazz, mostly bebop"], "likes jazz", "missing: bebop"),
        (["likes jazz", "likes jazz music"], "likes jazz music from Cuba", "no memory says: cuba"),
        (["has a cat", "has 2 cats"], "has 3 cats", "figures"),
        (["has a cat", "has 2 cats"], "has cats", "figures"),
        (["likes tea", "does not like tea"], "likes tea", "denies"),
        (["likes tea", "enjoys tea"], "never likes tea", "denies"),
        (["lived in Oslo", "lives in Oslo"], "lives in Oslo", "missing: lived"),
        (["Ada loves Bo", "Ada adores Bo"], "Bo loves Ada", "changed places"),
        (["likes tea", "enjoys tea"], " ", "needs some text"),
        (["likes tea", "enjoys tea"], "likes tea " * 60, "at most 500"),
    ],
)
def test_text_that_adds_or_loses_something_is_refused(texts: list[str], merged: str, problem: str) -> None:
    assert problem in merge_problem(facts(*texts), merged)


def test_memories_about_different_people_are_not_merged() -> None:
    assert "different people" in merge_problem([fact("likes tea"), fact("likes tea", 2, subject=BO)], "likes tea")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada flies to Oslo tomorrow", "Ada flies to Oslo on 2026-05-04"),
        ("has an exam next month", "has an exam in 2026-06"),
        ("moved here two years ago", "moved here in 2024"),
        ("明日オスロに行く", "2026年5月4日にオスロに行く"),
    ],
)
def test_relative_date_may_become_the_day_that_it_means(old: str, new: str) -> None:
    assert dating_problem(fact(old), new, UTC) == ""


def test_day_is_that_of_the_personas_zone() -> None:
    late = fact("Ada flies tomorrow", updated_at=START.replace(hour=20))

    assert dating_problem(late, "Ada flies on 2026-05-05", ZoneInfo("Asia/Tokyo")) == ""
    assert dating_problem(late, "Ada flies on 2026-05-04", ZoneInfo("Asia/Tokyo")) != ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada flies to Oslo tomorrow", "Ada flies to Oslo tomorrow"),
        ("Ada flies to Oslo tomorrow", "Ada flies to Oslo on 2026-05-05"),
        ("Ada flies to Oslo tomorrow", "Ada flies to Bergen on 2026-05-04"),
        ("Ada flies to Oslo tomorrow", "Ada flies on 2026-05-04"),
        ("Ada flies to Oslo tomorrow", "Ada flies to Oslo soon"),
        ("Ada flies to Oslo tomorrow", "Ada does not fly to Oslo on 2026-05-04"),
        ("Ada pays 30 euros tomorrow", "Ada pays 300 euros on 2026-05-04"),
        ("Ada likes tea", "Ada likes tea on 2026-05-04"),
        ("Ada flies tomorrow", "Ada flies on 2026-02-31"),
    ],
)
def test_anything_else_is_no_dating(old: str, new: str) -> None:
    assert dating_problem(fact(old), new, UTC) != ""


@pytest.mark.parametrize(
    ("older", "newer"),
    [("lives in Paris", "moved to Rome"), ("likes tea", "no longer likes tea"), ("works at a bank", "quit"), ("猫が好き", "猫が嫌い")],
)
def test_newer_memory_about_the_same_ends_an_older_one(older: str, newer: str) -> None:
    assert ending_problem(*facts(older, newer)) == ""


def test_memory_ends_by_no_older_equal_pinned_foreign_or_unrelated_one() -> None:
    old, new = facts("lives in Paris", "moved to Rome")

    assert ending_problem(new, old) != ""
    assert ending_problem(old, old) != ""
    assert ending_problem(replace(old, pinned=True), new) != ""
    assert ending_problem(old, replace(new, subject=BO)) != ""
    assert ending_problem(*facts("likes tea", "likes jazz")) != ""
    assert ending_problem(*facts("likes tea", "is fond of tea")) != ""


def survey_of(count: int) -> Survey:
    """Return a survey of active memories, and one archived."""
    policy = MemoryPolicy()
    survey = Survey(Plan(policy, START), policy, START)
    survey.take([*(fact(f"owns item {number}", number) for number in range(1, count + 1)), fact("old", 99, level=Level.ARCHIVE)])
    return survey


def take_away(survey: Survey, *numbers: int, step: Step = Step.FORGOTTEN, by_model: bool = True) -> None:
    for number in numbers:
        edit = End(number) if step is Step.ENDED else Forget(number, for_good=False)
        survey.plan.add(Change(step, (edit,), "", (number,), by_model), [survey.memories[number]])


@pytest.mark.parametrize("step", [Step.FORGOTTEN, Step.ENDED, Step.MERGED])
@pytest.mark.parametrize(("count", "lost", "refused"), [(8, 2, ""), (8, 3, TOO_MUCH), (3, 1, ""), (3, 2, TOO_MUCH)])
def test_dream_that_loses_more_than_a_quarter_of_the_active_memories_is_refused(step: Step, count: int, lost: int, refused: str) -> None:
    survey = survey_of(count)

    take_away(survey, *range(1, lost + 1), step=step)

    assert refusal(survey, DreamLimits()) == refused


def test_archived_memories_and_repeats_are_no_loss() -> None:
    survey = survey_of(4)

    take_away(survey, 1, 2, 3, step=Step.MERGED, by_model=False)
    take_away(survey, 99)

    assert refusal(survey, DreamLimits()) == ""


@pytest.mark.parametrize("sources", [(), (1, 12345)])
def test_change_that_names_no_source_refuses_the_dream(sources: tuple[int, ...]) -> None:
    survey = survey_of(4)

    survey.plan.add(Change(Step.ENDED, (End(1),), "", sources), [survey.memories[1]])

    assert refusal(survey, DreamLimits()) == NO_SOURCE


def test_date_follows_from_when_the_memory_was_last_written() -> None:
    assert dating_problem(fact("flies tomorrow", updated_at=START - timedelta(days=1)), "flies on 2026-05-03", UTC) == ""
