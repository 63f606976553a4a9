import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.text import is_wide, is_within_character, one_line, storable, utf16_length, utf16_places


@given(st.text(st.characters(codec=None, categories=None)))
def test_any_text_can_be_stored_afterwards(text: str) -> None:
    kept = storable(text)

    assert "\0" not in kept
    assert kept.encode("utf-8").decode("utf-8") == kept


@given(st.text(), st.integers(1, 50))
def test_line_fits_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)

    assert len(line) <= limit
    assert "\n" not in line


@pytest.mark.parametrize(("text", "units"), [("", 0), ("abc", 3), ("猫", 1), ("🐈", 2), ("\ud800", 1)])
def test_length_counts_utf16_units(text: str, units: int) -> None:
    assert utf16_length(text) == units


@given(st.text())
def test_places_count_the_units_before_each_character(text: str) -> None:
    assert utf16_places(text) == [utf16_length(text[:place]) for place in range(len(text) + 1)]


@pytest.mark.parametrize(("char", "wide"), [("猫", True), ("！", True), ("a", False), ("é", False)])
def test_wide_characters_are_told_from_narrow_ones(char: str, wide: bool) -> None:
    assert is_wide(char) is wide


@pytest.mark.parametrize(
    "whole",
    [
        pytest.param("e\u0301", id="an accent"),
        pytest.param("か\u3099", id="a voiced sound"),
        pytest.param("ก\u0e31", id="a vowel above"),
        pytest.param("1\ufe0f\u20e3", id="a key"),
        pytest.param("👍🏽", id="a skin tone"),
        pytest.param("👩\u200d👧", id="joined emoji"),
    ],
)
def test_what_is_seen_as_one_is_never_torn_apart(whole: str) -> None:
    text = f"a{whole}b"

    assert [place for place in range(len(text) + 1) if is_within_character(text, place)] == list(range(2, len(whole) + 1))
