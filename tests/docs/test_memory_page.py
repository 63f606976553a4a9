"""docs/memory.md tells what there is: levels, steps, limits, and a picture that is true."""

import re

import pytest

from bot.domain.persona import MemoryPolicy
from bot.memory.dreams.checks import NO_SOURCE, OVER_BUDGET, TOO_MUCH
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.plan import Step
from tests.docs.fading import PICTURE, drawn
from tests.docs.pages import Page

PAGE = Page("docs/memory.md")
RETAINED = "retained"


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
