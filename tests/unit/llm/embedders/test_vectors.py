import numpy as np
import pytest

from bot.llm.embedders.vectors import readable, unit_length


@pytest.mark.parametrize(
    ("text", "given"),
    [
        pytest.param("  I like tea\n\n", "I like tea", id="trimmed"),
        pytest.param("猫", "猫", id="one character"),
        pytest.param("…!? 🎉", "", id="nothing to read"),
        pytest.param("a\0b", "a b", id="a zero byte"),
        pytest.param("a\ud800", "a?", id="half a character"),
        pytest.param("abcdefghijkl", "abcdefghij", id="too long"),
    ],
)
def test_texts_are_given_as_models_take_them(text: str, given: str) -> None:
    assert readable(text, 10) == given


def test_rows_come_to_length_1_and_zeros_stay() -> None:
    rows = unit_length(np.array([[3.0, 4.0], [0.0, 0.0], [1e-30, 0.0]]))

    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0.0, 0.0], [1.0, 0.0]], atol=1e-6)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_no_number_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="no numbers"):
        unit_length(np.array([[1.0, number]]))
