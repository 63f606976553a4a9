from bot.llm.tokens import BpeTokens


def test_words_cost_about_a_token_each_and_japanese_more_than_one_in_two_characters() -> None:
    tokens = BpeTokens()

    assert tokens.count("My cat is called Mochi.") in range(6, 10)
    assert tokens.count("日本語の長い文章です。" * 100) >= 550


def test_control_tokens_in_a_text_are_plain_text() -> None:
    assert BpeTokens().count("<|endoftext|>") > 1


def test_nothing_costs_nothing() -> None:
    assert BpeTokens().count("") == 0


def test_text_of_any_length_is_counted() -> None:
    assert BpeTokens().count("\N{THUMBS UP SIGN}" * 200_000) == 200_000 * BpeTokens().count("\N{THUMBS UP SIGN}")
