import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.platforms.console.wrap import LineWrap


def wrapped(*pieces: str, width: int = 10, name: str = "") -> str:
    wrap = LineWrap(lambda: width)
    wrap.begin_line(name)
    return "".join(map(wrap.feed, [*pieces, "\n"]))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three four", ["one two", "three four"]),
        ("exactly 10\nand more", ["exactly 10", "and more"]),
        ("unbreakably long words", ["unbreakably long", "words"]),
        ("  indented line", ["  indented", "line"]),
        ("猫が好きです", ["猫が好きで", "す"]),
        ("cat は猫です", ["cat は猫で", "す"]),
        ("trailing   \nblanks", ["trailing", "blanks"]),
    ],
)
def test_lines_break_between_words_or_wide_characters(text: str, lines: list[str]) -> None:
    assert wrapped(text).splitlines() == lines


def test_a_word_that_comes_in_pieces_stays_whole() -> None:
    assert wrapped("one two th", "ree") == "one two\nthree\n"


def test_what_stands_in_the_line_already_counts() -> None:
    assert wrapped("one two", name="Baku: ") == "one\ntwo\n"


def test_a_line_has_ended_only_at_its_break() -> None:
    wrap = LineWrap(lambda: 10)
    before = wrap.at_line_start
    wrap.feed("word")
    within = wrap.at_line_start
    wrap.feed("\n")

    assert (before, within, wrap.at_line_start) == (True, False, True)


@given(st.text(alphabet="ab 猫\n", max_size=60), st.integers(2, 12), st.integers(0, 60))
def test_nothing_but_blanks_is_lost_however_the_text_is_cut(text: str, width: int, cut: int) -> None:
    shown = wrapped(text[:cut], text[cut:], width=width)

    assert shown == wrapped(text, width=width)
    assert "".join(shown.split()) == "".join(text.split())
