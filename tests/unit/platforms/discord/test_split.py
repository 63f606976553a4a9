"""Long answers become messages that each stand on their own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.text import utf16_length
from bot.platforms.discord.split import split

PIECES = st.sampled_from(
    [
        "word",
        "longer-word",
        " ",
        " ",
        "\n",
        "\n\n",
        "**",
        "*",
        "__",
        "||",
        "~~",
        "`",
        "```",
        "\n```\n",
        "> ",
        "# ",
        "猫です。",
        "😀",
        "👩‍👩‍👧",
        "\\*",
    ]
)
MARKED_TEXT = st.lists(PIECES, max_size=200).map("".join)
MARKERS = re.compile(r"[\s`*_~|>#\-\\]")


def test_short_text_is_one_part() -> None:
    assert split("Hello **you**.") == ["Hello **you**."]


@pytest.mark.parametrize(
    "text", [pytest.param("", id="empty"), pytest.param(" \n\t ", id="blanks"), pytest.param("\0", id="nothing storable")]
)
def test_blank_text_has_no_parts(text: str) -> None:
    assert split(text) == []


def test_words_stay_whole() -> None:
    words = [f"word{number}" for number in range(1000)]

    parts = split(" ".join(words))

    assert [word for part in parts for word in part.split()] == words
    assert all(utf16_length(part) <= 2000 for part in parts)


def test_cut_prefers_a_paragraph_to_a_sentence() -> None:
    first, second = "One sentence. " * 4, "Another sentence. " * 4

    parts = split(f"{first}\n\n{second}", limit=100)

    assert parts == [first.strip(), second.strip()]


def test_code_fence_is_closed_and_opened_again_with_its_language() -> None:
    code = "\n".join(f"    print({number})" for number in range(20))

    parts = split(f"Look:\n```python\n{code}\n```\nDone.", limit=120)

    assert all(part.count("```") == 2 for part in parts if "print" in part)
    assert all("```python\n" in part for part in parts if "print" in part)
    assert "\n".join(re.findall(r"^    print\(\d+\)$", "\n".join(parts), re.MULTILINE)) == code


def test_unclosed_fence_is_closed() -> None:
    assert split("```py\nx = 1") == ["```py\nx = 1\n```"]


@pytest.mark.parametrize("marker", ["**", "*", "__", "_", "~~", "||", "***", "`"])
def test_markup_is_balanced_in_each_part(marker: str) -> None:
    text = f"Before {marker}{'inside ' * 30}end{marker} after."

    parts = split(text, limit=80)

    assert len(parts) > 2
    assert all(part.count(marker) == 2 for part in parts if "inside" in part)


def test_link_stays_whole() -> None:
    link = "[the page](https://example.com/a_(b)?c=d)"

    parts = split(f"{'word ' * 15}{link}{' word' * 15}", limit=100)

    assert any(link in part for part in parts)


def test_mention_stays_whole() -> None:
    parts = split("x" * 95 + "<@123456789012345678>", limit=100)

    assert parts == ["x" * 95, "<@123456789012345678>"]


def test_quoted_line_is_quoted_in_each_part() -> None:
    parts = split("> " + "quoted words " * 30, limit=100)

    assert all(part.startswith("> ") for part in parts)


def test_japanese_is_cut_after_a_sentence() -> None:
    parts = split("これは猫です。" * 40, limit=100)

    assert all(part.endswith("。") for part in parts)


def test_units_are_counted_not_characters() -> None:
    parts = split("😀" * 1500)

    assert [utf16_length(part) for part in parts] == [2000, 1000]


def test_snake_case_is_no_markup() -> None:
    text = "call_the_function " * 20

    parts = split(text, limit=100)

    assert " ".join(parts).split() == text.split()


@given(MARKED_TEXT, st.integers(min_value=40, max_value=200))
def test_any_text_fits_and_loses_nothing(text: str, limit: int) -> None:
    parts = split(text, limit)

    assert all(utf16_length(part) <= limit and part.strip() for part in parts)
    assert MARKERS.sub("", "".join(parts)) == MARKERS.sub("", text)
    assert list(parts) == list(split(text, limit))


@given(MARKED_TEXT)
def test_fences_are_balanced_in_each_part(text: str) -> None:
    assert all(part.count("```") % 2 == 0 for part in split(text, 120))
