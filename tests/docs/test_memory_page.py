"""docs/memory.md tells what there is: levels, steps, limits, and a picture that is true."""

import re
from pathlib import Path

import pytest

from bot.domain.persona import MemoryPolicy
from bot.domain.steps import READERS, WRITERS, StepKind, Steps
from bot.llm.embedders.choice import HASHING, WORDS_ONLY
from bot.llm.embedders.packages import PACKAGES, ModelPackage
from bot.memory.dreams.checks import NO_SOURCE, OVER_BUDGET, TOO_MUCH
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.plan import Step
from bot.storage.persona_files import load_personas
from bot.storage.persona_steps import OPTIONS
from tests.docs.fading import PICTURE, drawn
from tests.docs.pages import Page

PAGE = Page("docs/memory.md")
PAST = PAGE.text.partition("## The conversation's own past")[2]
RETAINED = "retained"
OF_THE_PAST = ("history_", "timestamps", "past", "chunk_", "summary_", "condense", "max_excerpts", "entity_tokens")
"""How the names of the policy's values begin that are about the past."""


def test_the_picture_shows_what_the_usual_policy_does() -> None:
    picture = PICTURE.read_text(encoding="utf-8")

    assert picture == drawn(), "draw it anew: .venv/bin/python -m tests.docs.fading"
    assert len(picture.encode()) <= 60_000
    assert "](pictures/fading.svg)" in PAGE.text


@pytest.mark.parametrize("step", Step)
def test_every_step_of_a_dream_is_named(step: Step) -> None:
    name = RETAINED if step is Step.RETAINED else step.value.replace("_", " ")

    assert f"*{name}*" in PAGE.text


@pytest.mark.parametrize("reason", [TOO_MUCH, NO_SOURCE, OVER_BUDGET])
def test_every_reason_to_refuse_a_dream_is_named(reason: str) -> None:
    assert f"`{reason}`" in PAGE.text


def test_values_that_the_page_names_are_those_of_the_policy() -> None:
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", PAGE.text)) - {TOO_MUCH, NO_SOURCE, OVER_BUDGET}

    assert named <= set(MemoryPolicy.__dataclass_fields__)


def test_limits_are_those_of_a_dream() -> None:
    limits = DreamLimits()

    assert f"limits of {limits.calls} questions, {limits.tokens:,} tokens and two minutes" in PAGE.text
    assert limits.seconds == 120
    assert limits.lost_share == 0.25


@pytest.mark.parametrize("name", [name for name in MemoryPolicy.__dataclass_fields__ if name.startswith(OF_THE_PAST)])
def test_every_value_about_the_past_is_explained(name: str) -> None:
    assert f"`{name}`" in PAST or f"{name}: false" in PAST


@pytest.mark.parametrize("kind", StepKind)
def test_every_step_has_its_row_under_its_established_name(kind: StepKind) -> None:
    stands_among = "readers" if kind in READERS else "writers"

    assert kind in READERS + WRITERS
    assert f"| `{kind}` | {stands_among} |" in PAST


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_of_a_step_is_named(option: str) -> None:
    assert f"`{option}`" in PAST


def test_the_lines_for_a_persona_say_what_it_does_without_them(tmp_path: Path) -> None:
    (lines,) = PAGE.blocks("yaml")
    (tmp_path / "iris.md").write_text(f"---\nname: Iris\ngreeting: Hello.\n{lines}---\nYou are calm.", encoding="utf-8")

    assert load_personas(tmp_path, "iris").get("iris").steps == Steps()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_every_embedder_has_its_row(package: ModelPackage) -> None:
    row = next(line for line in PAST.splitlines() if line.startswith(f"| `{package.name}` |"))

    assert f"| {package.languages} |" in row
    assert f"`{package.extra}`" in row if package.extra else "is installed with Baku" in row


@pytest.mark.parametrize("name", [HASHING, WORDS_ONLY])
def test_every_other_embedder_has_its_row(name: str) -> None:
    assert f"| `{name}` |" in PAST
