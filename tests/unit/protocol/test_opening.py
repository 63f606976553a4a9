"""A single tag, recognised in a text that still grows."""

import pytest

from bot.protocol.opening import MAX_LENGTH, Opening, Trouble, plain, read_opening
from bot.protocol.scanner import Verdict

NAMES = frozenset({"mem_new", "think"})


def read(text: str, *, final: bool = False) -> Opening | Verdict:
    return read_opening(text, 0, NAMES, final=final)


@pytest.mark.parametrize(
    "text", ["<", "</", "<m", "<Mem_new", "<mem_new ", "<mem_new a", "<mem_new a = 'x", "<mem_new/", "</think", "<think x, "]
)
def test_what_may_become_a_known_tag_waits(text: str) -> None:
    assert read(text) is Verdict.WAIT


@pytest.mark.parametrize("text", ["<3", "< think", "<mem_news", "<thinker>", "<b>", "</b>", "<<", "<!--"])
def test_what_can_be_no_known_tag_is_shown(text: str) -> None:
    assert read(text) is Verdict.SHOW


@pytest.mark.parametrize("text", ["<", "</", "<t", "</th"])
def test_a_few_letters_at_the_very_end_are_prose(text: str) -> None:
    assert read(text, final=True) is Verdict.SHOW


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        pytest.param("<think>a", Opening("think", 7), id="plain"),
        pytest.param("</think >a", Opening("think", 9, closes=True), id="closing"),
        pytest.param("<Mem_New A='1'b=\"&lt;\" />", Opening("mem_new", 25, {"a": "1", "b": "<"}, is_empty=True), id="attributes"),
        pytest.param("<think a>b", Opening("think", 9, trouble=Trouble.BAD_ATTRIBUTES), id="bare attribute"),
        pytest.param("<think a=1/>", Opening("think", 12, is_empty=True, trouble=Trouble.BAD_ATTRIBUTES), id="bare value"),
        pytest.param("<think <b>", Opening("think", 7, trouble=Trouble.CUT_OFF), id="stopped by another"),
        pytest.param("</think <b>", Opening("think", 8, trouble=Trouble.CUT_OFF), id="closing stopped by another"),
        pytest.param("<think" + " " * MAX_LENGTH, Opening("think", MAX_LENGTH, trouble=Trouble.CUT_OFF), id="too long"),
    ],
)
def test_a_known_tag_is_read(text: str, opening: Opening) -> None:
    assert read(text) == opening


def test_the_end_of_the_text_cuts_a_tag_off() -> None:
    assert read("<mem_", final=True) == Opening("mem_", 5, trouble=Trouble.CUT_OFF)


def test_the_five_escapes_are_undone_once() -> None:
    assert plain("&lt;&gt;&quot;&apos;&amp;lt; &copy") == "<>\"'&lt; &copy"
