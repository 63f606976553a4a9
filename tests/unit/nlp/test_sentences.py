import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.nlp.sentences import Sentences, prose

CHATTER = st.lists(st.sampled_from(["Hi ", "Alice. ", "why?! ", "\n", "…", "猫です。", "`code`", "<@1> ", "**b**", "x" * 700])).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ('He said "no." Then left.', ['He said "no."', "Then left."]),
        ("Mr. Smith met Dr. Who.", ["Mr. Smith met Dr. Who."]),
        ("猫です。京都に住む！はい", ["猫です。", "京都に住む！", "はい"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("It costs 3.50 at example.org today", ["It costs 3.50 at example.org today"]),
        ("Wait... what", ["Wait...", "what"]),
        (" \n ", []),
    ],
)
def test_sentences_end_where_people_end_them(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in Sentences(text).bounds] == expected


@pytest.mark.parametrize(
    "text",
    ["```\nAlice\n```", "`Alice`", "https://x.org/Alice", "mail@x.org", "<@123>", "<:Alice:123>", "@Alice", "#Alice", "/Alice", "```Alice"],
)
def test_what_is_no_prose_is_blanked(text: str) -> None:
    assert prose(text).strip() == ""


@pytest.mark.parametrize("text", ["a * b", "**Alice**", "> Alice", "- Alice", "1. Alice", "||Alice||", "~~Alice~~"])
def test_markup_is_blanked_and_its_content_left(text: str) -> None:
    assert prose(text).strip() in {"a   b", "Alice"}


@given(CHATTER)
def test_blanking_moves_nothing(text: str) -> None:
    blanked = prose(text)

    assert len(blanked) == len(text)
    assert all(new in {old, " "} for new, old in zip(blanked, text, strict=True))


@given(CHATTER)
def test_pieces_hold_all_sentences_and_are_short(text: str) -> None:
    sentences = Sentences(text)

    pieces = [text[start:end] for start, end in sentences.pieces()]

    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(len(piece) <= 1000 for piece in pieces)


def test_a_place_in_a_long_sentence_shows_what_is_around_it() -> None:
    text = "a " * 400 + "Alice " + "b " * 400

    shown = Sentences(text).at(text.index("Alice"))

    assert shown.startswith("…a a")
    assert "Alice" in shown
    assert shown.endswith("b b…")
