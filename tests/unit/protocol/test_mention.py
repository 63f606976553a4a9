"""Tags that are spoken of."""

import re

import pytest

from bot.protocol.mention import FAR, closing_is_mentioned, opening_is_mentioned
from bot.protocol.scanner import Verdict

END = re.compile("</think>")


@pytest.mark.parametrize(
    ("before", "after", "mentioned"),
    [
        pytest.param("", " tag\n", False, id="at the beginning of a line"),
        pytest.param("the ", " tag is", True, id="called a tag"),
        pytest.param("das ", "-Tag ist", True, id="called a tag in German"),
        pytest.param("the tag ", "Hm", True, id="named"),
        pytest.param("use (", ") to", True, id="in brackets"),
        pytest.param("Well. ", "Hm", False, id="after a sentence"),
        pytest.param("Well. ", " hm", False, id="after a sentence, in small letters"),
        pytest.param("write ", " first", True, id="in a sentence"),
        pytest.param("write ", " and </think>", True, id="with its end"),
        pytest.param("well ", " she likes tea</think>", False, id="used"),
        pytest.param("答えは", "を使う", True, id="in Japanese"),
    ],
)
def test_a_tag_is_spoken_of_or_used(before: str, after: str, mentioned: bool) -> None:
    assert opening_is_mentioned(before, after, END, final=True) is mentioned


def test_in_doubt_it_waits_for_a_while() -> None:
    assert opening_is_mentioned("the ", " t", END, final=False) is Verdict.WAIT
    assert opening_is_mentioned("write ", " first" + "x" * 30, END, final=False) is Verdict.WAIT
    assert opening_is_mentioned("write ", " first" + "x" * FAR, END, final=False) is True


def test_a_closing_tag_in_a_sentence_is_spoken_of_only_after_its_opening_one() -> None:
    assert closing_is_mentioned("close with ", " in the end", opening_was=True, final=True) is True
    assert closing_is_mentioned("close with ", " in the end", opening_was=False, final=True) is False
    assert closing_is_mentioned('the "', '" ends', opening_was=False, final=True) is True
