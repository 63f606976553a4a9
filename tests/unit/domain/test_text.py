import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.text import is_wide, is_within_character, one_line, storable, text_key, utf16_length, utf16_places


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


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("likes tea", id="case"),
        pytest.param("ＬＩＫＥＳ　ＴＥＡ", id="width"),
        pytest.param(" Likes\n\t Tea ", id="blanks"),
        pytest.param("Likes Tea.", id="full stop"),
        pytest.param("Likes Tea ?!…", id="several signs"),
        pytest.param("Likes Tea。", id="Japanese full stop"),
    ],
)
def test_texts_in_other_dress_have_one_key(text: str) -> None:
    assert text_key(text) == text_key("Likes Tea")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Codes in C#", "Codes in C", id="sign"),
        pytest.param("Gave 100%", "Gave 100", id="per cent"),
        pytest.param("Is now here", "Is nowhere", id="blank between words"),
        pytest.param("Has 1.5 cats", "Has 15 cats", id="point within"),
        pytest.param("Likes café", "Likes cafe", id="accent"),
        pytest.param("?", "!", id="nothing but signs"),
    ],
)
def test_other_texts_have_other_keys(one: str, other: str) -> None:
    assert text_key(one) != text_key(other)


@given(st.text())
def test_a_key_is_its_own_key(text: str) -> None:
    assert text_key(text_key(text)) == text_key(text)


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
