import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.text import one_line, storable, utf16_length


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
