"""What people are told when there is no answer."""

from dataclasses import fields

import pytest

from bot.conversation.notices import notices
from bot.errors import AnswerFiltered, ContextOverflow, ModelError, ModelRefused, ModelTrouble, ModelUnavailable

ENGLISH = notices("en")
LANGUAGES = ("en", "ja", "de", "es", "zh")


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (ModelUnavailable("x"), ENGLISH.unavailable),
        (ModelUnavailable("x", ModelTrouble.SLOW), ENGLISH.slow),
        (ModelUnavailable("x", ModelTrouble.BUSY, retry_after=20), ENGLISH.busy),
        (ModelUnavailable("x", ModelTrouble.BUSY, retry_after=200), ENGLISH.busy_for.format(minutes=4)),
        (ModelUnavailable("x", ModelTrouble.BUSY, retry_after=1e9), ENGLISH.busy_for.format(minutes=600)),
        (ModelRefused("x"), ENGLISH.refused),
        (ModelRefused("x", ModelTrouble.KEY), ENGLISH.refused),
        (ModelRefused("x", ModelTrouble.RIGHTS), ENGLISH.forbidden),
        (ModelRefused("x", ModelTrouble.CREDIT), ENGLISH.credit),
        (ModelRefused("x", ModelTrouble.MISSING), ENGLISH.missing),
        (ContextOverflow("x"), ENGLISH.too_long),
        (AnswerFiltered("x"), ENGLISH.filtered),
    ],
)
def test_each_reason_has_a_line_of_its_own(problem: ModelError, line: str) -> None:
    assert ENGLISH.about(problem) == line


def test_every_language_has_every_line_and_no_two_share_one() -> None:
    for field in fields(ENGLISH):
        lines = [getattr(notices(language), field.name) for language in LANGUAGES]
        assert len(set(lines)) == len(LANGUAGES)
        assert all(lines)
    assert all("{minutes}" in notices(language).busy_for for language in LANGUAGES)


def test_a_region_is_no_language_of_its_own() -> None:
    assert notices("ja-JP") is notices("ja")
    assert notices("xx") is ENGLISH
