"""Texts come in the language of whoever reads them."""

import asyncio

import pytest

from bot.wording.say import figure, in_language, language, later, say, say_count, translated

SUMMARY = "See what you can type"


def test_english_is_spoken_where_nothing_else_is_asked_for() -> None:
    assert (language(), translated(SUMMARY)) == ("en", SUMMARY)


@pytest.mark.parametrize(
    ("tag", "known"), [("de", "de"), ("ja-JP", "ja"), ("zh_TW", "zh"), ("DE-at", "de"), ("pt-BR", "en"), ("", "en"), ("../ja", "en")]
)
def test_a_tag_falls_back_to_its_language_and_an_unknown_one_to_english(tag: str, known: str) -> None:
    with in_language(tag):
        assert language() == known


def test_languages_stand_inside_one_another_and_end_with_their_block() -> None:
    with in_language("de"):
        with in_language("ja"):
            inner = translated(SUMMARY)
        outer = translated(SUMMARY)

    assert (inner, outer, language()) == ("使えるコマンドを見る", "Zeigt, was du eingeben kannst", "en")


async def test_tasks_at_once_each_speak_their_own_language() -> None:
    async def spoken(tag: str) -> str:
        with in_language(tag):
            await asyncio.sleep(0)
            return language()

    assert tuple(await asyncio.gather(spoken("de"), spoken("ja"), spoken("en"))) == ("de", "ja", "en")


def test_values_are_put_in_as_they_are() -> None:
    assert say("{name} waits.", name="{a} <b>") == "{a} <b> waits."


def test_a_text_without_a_translation_comes_in_english() -> None:
    with in_language("de"):
        assert say("Nobody has translated {this}.", this="that") == "Nobody has translated that."
        assert say_count(1200, "one thing", "{number} things") == "1.200 things"


def test_things_are_counted() -> None:
    assert [say_count(number, "1 cat of {whose}", "{number} cats of {whose}", whose="Ada") for number in (0, 1, 2000)] == [
        "0 cats of Ada",
        "1 cat of Ada",
        "2,000 cats of Ada",
    ]


@pytest.mark.parametrize(("tag", "written"), [("en", "12,345.7"), ("de", "12.345,7"), ("ja", "12,345.7")])
def test_numbers_are_written_as_the_language_does(tag: str, written: str) -> None:
    with in_language(tag):
        assert figure(12345.67, 1) == written


def test_a_text_for_later_is_the_text() -> None:
    assert later("A thing") == "A thing"


def test_a_summary_comes_in_a_language_that_is_asked_for() -> None:
    assert translated(SUMMARY, "ja-JP") == "使えるコマンドを見る"
