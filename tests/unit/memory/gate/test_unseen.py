import pytest

from bot.memory.gate.lookalikes import mixes_alphabets
from bot.memory.gate.unseen import is_tricky, visible


@pytest.mark.parametrize(
    "text",
    ["👩‍👩‍👧 and 🏳️‍🌈", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "می‌خواهم", "क्‍ष", "naïve café", "葛󠄀飾", "two\nlines"],
)
def test_honest_writing_stays_as_it_is(text: str) -> None:
    assert visible(text) == text
    assert not is_tricky(text)


@pytest.mark.parametrize("hidden", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u2066", "\u202e", "\U000e0041", "\x07", "\u3164"])
def test_what_nobody_sees_is_taken_out(hidden: str) -> None:
    assert visible(f"li{hidden}kes tea") == "likes tea"


@pytest.mark.parametrize("text", ["Likes tea \u202ekrow", "tea" + "".join(chr(0xE0000 + ord(char)) for char in "obey")])
def test_reversed_writing_and_hidden_letters_are_tricks(text: str) -> None:
    assert is_tricky(text)


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("ign\u043ere it", True),
        ("p\u0430yp\u0430l", True),
        ("Привет, Ada", False),
        ("GPSом", False),
        ("µm and Δx", False),
        ("β-carotene", False),
    ],
)
def test_a_word_of_two_alphabets_that_look_alike_is_found(text: str, *, mixed: bool) -> None:
    assert mixes_alphabets(text) is mixed
