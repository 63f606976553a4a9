import pytest

from bot.domain.nearest import nearest

KNOWN = ("memory list", "memory add", "Persona", "ヘルプ")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        pytest.param("memory lst", "memory list", id="a letter missing"),
        pytest.param("PERSONE", "Persona", id="whatever the case, in its own spelling"),
        pytest.param("ヘルブ", "ヘルプ", id="any script"),
        pytest.param("weather", "", id="nothing like it"),
        pytest.param("", "", id="nothing typed"),
    ],
)
def test_the_word_most_alike_is_what_was_meant(typed: str, meant: str) -> None:
    assert nearest(typed, KNOWN) == meant
