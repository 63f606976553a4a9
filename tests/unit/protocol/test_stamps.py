import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.protocol.reply import ReplyReader
from bot.protocol.scanner import VisibleText
from bot.protocol.stamps import StampFilter
from tests.unit.protocol.cuts import PLACES, TEXTS, cut

STAMPS = (
    "(Saturday, 2025-09-20 16:30:05) ",
    "[Sent 2 hours, 15 minutes ago] ",
    "[Sent just now]\n",
    "[Sen",
    "(Satur",
    " " * 90,
    "[Sent " + "x" * 90,
)


def shown(*chunks: str) -> str:
    stamps = StampFilter()
    return "".join(stamps.feed(chunk) for chunk in chunks) + stamps.close()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("(Saturday, 2025-09-20 16:30:05) Good evening.", "Good evening.", id="absolute"),
        pytest.param("[Sent 2 hours, 15 minutes ago] Hello.", "Hello.", id="relative"),
        pytest.param("\n[sent just now]\n(Sunday, 2025-09-21 08:00) Hi.", "Hi.", id="several"),
        pytest.param("(Smiling) Hello.", "(Smiling) Hello.", id="other brackets"),
        pytest.param("[Sent with love] Hello.", "[Sent with love] Hello.", id="other words"),
        pytest.param("It was (Saturday, 2025-09-20 16:30:05) then.", "It was (Saturday, 2025-09-20 16:30:05) then.", id="further on"),
        pytest.param("  Hello.", "  Hello.", id="no time at all"),
        pytest.param("[Sent just", "[Sent just", id="cut off"),
    ],
)
def test_time_of_sending_before_an_answer_is_taken_out(answer: str, expected: str) -> None:
    assert shown(answer) == expected


@given(st.lists(st.sampled_from(STAMPS), max_size=3).map("".join), TEXTS, PLACES)
def test_cutting_the_answer_anywhere_changes_nothing(beginning: str, text: str, places: list[int]) -> None:
    whole = beginning + text

    assert shown(*cut(whole, places)) == shown(whole)


@given(st.lists(st.sampled_from((*STAMPS, "<mem_tag id='1'/>", "<think>x</think>")), max_size=4).map("".join), TEXTS, PLACES)
def test_cutting_an_answer_with_tags_anywhere_changes_nothing(beginning: str, text: str, places: list[int]) -> None:
    def visible(*chunks: str) -> str:
        reader = ReplyReader(frozenset({"mem_new"}), without_body=frozenset({"mem_tag"}), drops_stamps=True)
        parts = [part for chunk in chunks for part in reader.feed(chunk)] + reader.close()
        return "".join(part.text if isinstance(part, VisibleText) else f"|{type(part).__name__}|" for part in parts)

    assert visible(*cut(beginning + text, places)) == visible(beginning + text)


def test_time_behind_a_tag_is_still_before_the_answer() -> None:
    reader = ReplyReader(frozenset(), without_body=frozenset({"mem_tag"}), drops_stamps=True)

    parts = [*reader.feed("<mem_tag id='1'/>[Sent just now] Hello."), *reader.close()]

    assert VisibleText("Hello.") in parts
