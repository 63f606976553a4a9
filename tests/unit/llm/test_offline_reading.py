"""Words, as the offline model understands them."""

import pytest

from bot.llm.offline_reading import asks_for_everything, is_greeting, meaning, question_in, statement_in


@pytest.mark.parametrize("said", ["hi", "Hello there!", "good evening", "Guten Tag.", "こんにちは！", "おはようございます"])
def test_greetings_are_known(said: str) -> None:
    assert is_greeting(said)


@pytest.mark.parametrize("said", ["hi, what is up?", "history is fun", "My cat says hi", ""])
def test_what_says_more_is_no_greeting(said: str) -> None:
    assert not is_greeting(said)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I am here. What is my cat called?", "What is my cat called?"),
        ("what is my cat called", "what is my cat called"),
        ("Hello! Where do I live? And why?", "Where do I live? And why?"),
        ("Wie heißt mein Hund", "Wie heißt mein Hund"),
        ("猫の名前は何ですか", "猫の名前は何ですか"),
        ("See https://example.com/?a=1 for more", ""),
        ("Whatever.", ""),
        ("I moved, but where do I live?", "where do I live?"),
        ("I wonder where my keys are.", "I wonder where my keys are."),
    ],
)
def test_questions_are_told_from_the_rest(said: str, asked: str) -> None:
    assert question_in(said) == asked


def test_long_statements_are_kept_by_whole_sentences() -> None:
    kept = statement_in("I like " + "very " * 80 + "much. " + "And my " + "old " * 80 + "cat too.")

    assert kept.endswith("much.")
    assert statement_in("I like " + "very " * 120) == ""


def test_words_are_compared_without_their_endings_and_without_empty_words() -> None:
    assert meaning("What are my cats called?") == meaning("the cat's")
    assert meaning("what is that called") == set()
    assert meaning("京都に住んでいます") == {"京都", "住"}


@pytest.mark.parametrize(
    ("question", "everything"),
    [
        ("What do you know about me?", True),
        ("何を覚えていますか", True),
        ("Do you know my cat?", False),
        ("What is about to happen?", False),
    ],
)
def test_who_asks_for_everything_gets_a_list(question: str, everything: bool) -> None:
    assert asks_for_everything(question) is everything
