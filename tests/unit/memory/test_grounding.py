"""Facts rest on what people said, never on the lines of bots."""

import re

import pytest

from bot.domain.message import Person, Role, StoredMessage
from bot.memory.grounding import dropped, grounded, invented, is_placeholder
from bot.prompt.builder import template
from bot.testing.factories import stored

OTHER_BOT = Person("bot-a", "Rook", is_bot=True)


def said(text: str) -> StoredMessage:
    return stored(text)


def by_bot(text: str) -> StoredMessage:
    return stored(text, row=2, author=OTHER_BOT)


def by_us(text: str) -> StoredMessage:
    return stored(text, row=3, author=Person("iris", "Iris", is_bot=True), role=Role.ASSISTANT)


@pytest.mark.parametrize("text", ["Ada likes tea", "likes green tea a lot", "ユーザーはお茶が好き", "prefers hot drinks"])
def test_fact_of_a_person_is_grounded_also_in_other_words(text: str) -> None:
    assert grounded(text, [said("I like tea")])


def test_fact_in_words_of_bots_alone_is_not() -> None:
    assert not grounded("The moon is lovely", [said("good evening"), by_us("Good evening, the moon is lovely.")])
    assert not grounded("Rook will come to the game", [said("game at seven?"), by_bot("I will come, says Rook")])


def test_what_both_said_is_the_persons() -> None:
    assert grounded("said good evening", [said("good evening"), by_us("good evening")])


@pytest.mark.parametrize("question", ["Do you like tea?", "It is late. お茶が好きですか？", "お茶が好きですか。"])
@pytest.mark.parametrize("fact", ["Ada likes tea", "お茶が好き"])
def test_yes_to_a_question_of_the_bot_is_the_persons_word(question: str, fact: str) -> None:
    assert grounded(fact, [by_us(question), said("yes")])


def test_words_of_the_instructions_in_place_of_a_fact_are_no_fact() -> None:
    placeholders = re.findall(r">([^<]+)</mem_|<mem_\w+ id=\"([a-z ]+)\"", template("memory_by_tags"))

    assert placeholders
    assert all(is_placeholder(text) for pair in placeholders for text in pair if text)
    assert not is_placeholder("Ada likes short sentences")


def test_nothing_is_grounded_where_nobody_human_spoke() -> None:
    assert not grounded("likes tea", [])
    assert not grounded("likes tea", [by_bot("I like tea"), by_us("I like tea")])


def test_invented_and_dropped_words_are_told_whatever_the_wording() -> None:
    assert invented("enjoys green tea in Oslo", ["likes tea", "the tea is green"]) == {"oslo"}
    assert dropped("enjoys tea", ["likes green tea"]) == {"green"}
    assert dropped("Ada likes tea", ["loves tea"], name="Ada") == frozenset()
