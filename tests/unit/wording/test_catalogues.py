"""Translations are read from their files."""

from bot.wording.catalogues import COMMAND_NAME, catalogue, languages


def test_there_are_translations_into_four_languages_at_least() -> None:
    assert {"de", "es", "ja", "zh"} <= set(languages())


def test_a_text_is_told_apart_from_a_name() -> None:
    assert catalogue("de").text("memory", COMMAND_NAME) == "erinnerung"
    assert catalogue("de").text("No such text at all") == "No such text at all"


def test_english_needs_no_file() -> None:
    assert catalogue("en").texts == {}
    assert [catalogue("en").counted(number, "one", "many") for number in (0, 1, 2)] == ["many", "one", "many"]
