import subprocess
import sys

import pytest

from bot.llm.tokens import BpeTokens

TOKENS = BpeTokens()


def test_words_cost_about_a_token_each_and_japanese_more_than_one_in_two_characters() -> None:
    assert TOKENS.count("My cat is called Mochi.") in range(6, 10)
    assert TOKENS.count("日本語の長い文章です。" * 100) >= 550


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("tiktoken is great!", 6, id="the example of its makers"),
        pytest.param("お誕生日おめでとう", 9, id="their Japanese example"),
        pytest.param("2 + 2 = 4", 7, id="their sum"),
    ],
)
def test_it_counts_as_the_makers_of_the_encoding_do(text: str, tokens: int) -> None:
    assert TOKENS.count(text) == tokens


def test_control_tokens_in_a_text_are_plain_text() -> None:
    assert TOKENS.count("<|endoftext|>") > 1


def test_nothing_costs_nothing() -> None:
    assert TOKENS.count("") == 0


def test_half_a_character_is_counted_as_one_that_is_missing() -> None:
    assert TOKENS.count("a\ud83d") == TOKENS.count("a?")


def test_text_of_any_length_is_counted() -> None:
    assert TOKENS.count("\N{THUMBS UP SIGN}" * 200_000) == 200_000 * TOKENS.count("\N{THUMBS UP SIGN}")


def test_counting_unpacks_no_vocabulary() -> None:
    code = "import sys; from bot.llm.tokens import BpeTokens; BpeTokens().count('hi'); sys.exit('bpe_openai' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_was_counted_before_is_known_and_what_is_kept_has_an_end() -> None:
    tokens = BpeTokens(most=2)

    assert [tokens.count(text) for text in ("one two", "one two", "three", "four five six", "one two")] == [2, 2, 1, 3, 2]
    assert len(tokens._known) <= 2
