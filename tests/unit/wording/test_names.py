"""Commands have names in each language, and are known by all of them."""

from bot.wording.names import command_word, english_words
from bot.wording.say import in_language


def test_a_word_of_a_command_is_translated() -> None:
    assert (command_word("memory", "ja"), command_word("memory", "pt"), command_word("weather", "ja")) == ("記憶", "memory", "weather")


def test_a_word_of_the_present_language_is_known() -> None:
    with in_language("de"):
        assert (command_word("list"), list(english_words("Liste"))) == ("liste", ["list"])


def test_a_word_of_any_other_language_is_known_too() -> None:
    assert list(english_words("一覧")) == ["list"]


def test_a_word_of_no_language_stands_for_itself() -> None:
    assert list(english_words("weather")) == ["weather"]
