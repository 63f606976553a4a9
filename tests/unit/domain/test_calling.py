"""Whether somebody is called by their name, and where a name falls."""

import pytest

from bot.domain.calling import calls_any, first_place, says_any


@pytest.mark.parametrize(
    ("text", "is_called"),
    [
        pytest.param("Rose, are you there?", True, id="at the beginning"),
        pytest.param("hey Rose! look", True, id="behind a greeting"),
        pytest.param("rose", True, id="alone"),
        pytest.param("what do you think, Rose?", True, id="at the end"),
        pytest.param("ask @rose about it", True, id="with an at sign"),
        pytest.param("ローズさん、元気？", True, id="in Japanese"),
        pytest.param("罗斯，你好", True, id="in Chinese"),
        pytest.param("I gave her a rose yesterday", False, id="a flower"),
        pytest.param("the rose is red, and so am I", False, id="what is talked about"),
        pytest.param("primrose, lovely", False, id="inside another word"),
        pytest.param("@rosemary hi", False, id="inside another handle"),
    ],
)
def test_who_is_called_by_name_is_told_from_who_is_talked_about(text: str, is_called: bool) -> None:
    assert calls_any(text, ("Rose", "ローズ", "罗斯")) is is_called


def test_the_first_of_several_words_is_found_where_it_stands_alone() -> None:
    assert first_place("primrose and Rose and Tom", ("tom", "rose")) == 13
    assert first_place("nobody", ("tom", "")) == -1
    assert says_any("TOM!", ("tom",))
