"""Answers that go on."""

import pytest

from bot.conversation.continuing import gone_on, marked, to_go_on_from


@pytest.mark.parametrize(
    ("text", "kept"),
    [("This goes on and o", "This goes on and "), ("Ends here. ", "Ends here. "), ("これはとても", "これはとても"), ("Word", "Word")],
)
def test_the_last_word_of_a_cut_text_is_written_anew(text: str, kept: str) -> None:
    assert to_go_on_from(text) == kept


@pytest.mark.parametrize(
    ("before", "more", "whole"),
    [
        pytest.param("This goes on and ", "on.", "This goes on and on.", id="at a word"),
        pytest.param("This goes on and ", " on.", "This goes on and on.", id="one blank is enough"),
        pytest.param("これはと", "ても長い", "これはとても長い", id="without blanks"),
        pytest.param("This goes on and ", "goes on and on.", "This goes on and on.", id="repeated"),
        pytest.param("tea ", "tea!", "tea tea!", id="too short to be a repetition"),
    ],
)
def test_both_parts_are_one_text(before: str, more: str, whole: str) -> None:
    assert gone_on(before, more) == whole


def test_what_stays_cut_is_marked() -> None:
    assert marked("This goes on and ") == "This goes on and …"
