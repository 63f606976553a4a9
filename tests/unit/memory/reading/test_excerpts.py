from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from bot.domain.message import Role, StoredMessage
from bot.memory.reading.excerpts import BESIDE_CHARACTERS, Excerpts, asks, found_at, places_of
from bot.memory.search.ranking import Hit
from bot.ports.corpus import Documents
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, stored
from bot.testing.tokens import WordTokens


def said(*lines: tuple[str, str, int]) -> list[StoredMessage]:
    """Return messages of `who, text, minute`; `*` is the persona."""
    people = {"a": ADA, "b": BO, "*": replace(ADA, id="iris", display_name="Iris", is_bot=True)}
    return [
        replace(
            stored(text, row=10 * number, author=people[who], role=Role.ASSISTANT if who == "*" else Role.USER),
            sent_at=START + timedelta(minutes=minute),
        )
        for number, (who, text, minute) in enumerate(lines, 1)
    ]


def documents_of(messages: Sequence[StoredMessage]) -> Documents:
    people = tuple(dict.fromkeys(message.author for message in messages))
    return Documents(
        np.array([message.id for message in messages]),
        np.array([int(message.sent_at.timestamp()) for message in messages]),
        np.array([people.index(message.author) for message in messages], np.int32),
        np.array([len(message.text.split()) for message in messages], np.int32),
        np.array([message.role is Role.ASSISTANT for message in messages]),
        people,
    )


def excerpts_of(messages: Sequence[StoredMessage], *rows: int, budget: int = 1000, before: int = 10_000) -> list[list[str]]:
    """Return the texts of the excerpts that these hits make, the best hit first."""
    hits = [Hit(row, 1 - at / 100, f"reason {row}") for at, row in enumerate(rows)]
    found = found_at(hits, documents_of(messages), before=before)
    excerpts = Excerpts({place: messages[place] for place in places_of(found)}, WordTokens(), budget)
    for each in found:
        excerpts.take(each)
    return [[message.text for message in excerpt.messages] for excerpt in excerpts.all()]


def test_question_before_an_answer_comes_with_it_and_an_answer_with_its_question() -> None:
    messages = said(("b", "Where is the key?", 0), ("a", "Under the blue pot.", 1), ("b", "Thanks.", 2))

    assert excerpts_of(messages, 20) == [["Where is the key?", "Under the blue pot."]]
    assert excerpts_of(messages, 10) == [["Where is the key?", "Under the blue pot."]]


def test_what_the_same_person_says_next_belongs_to_it() -> None:
    messages = said(("a", "I have news.", 0), ("a", "We move to Rome.", 1), ("b", "Oh.", 2))

    assert excerpts_of(messages, 10) == [["I have news.", "We move to Rome."]]


def test_what_was_said_hours_later_does_not_belong_to_it() -> None:
    assert excerpts_of(said(("b", "Where is the key?", 0), ("a", "Rome is warm.", 500)), 20) == [["Rome is warm."]]


def test_excerpts_come_in_the_order_of_time_and_neighbours_are_one() -> None:
    messages = said(("a", "one apple", 0), ("b", "two pears", 1), ("a", "something else", 700), ("b", "three plums", 1400))

    assert excerpts_of(messages, 40, 20, 10) == [["one apple", "two pears"], ["three plums"]]


def test_nothing_of_the_history_is_repeated() -> None:
    messages = said(("b", "Where is the key?", 0), ("a", "Under the blue pot.", 1))

    assert excerpts_of(messages, 10, 20, before=20) == [["Where is the key?"]]


def test_same_thing_said_twice_is_shown_once() -> None:
    messages = said(("a", "I love plums", 0), ("b", "so", 90), ("a", "I love plums!", 700))

    assert excerpts_of(messages, 30, 10) == [["I love plums!"]]


def test_turn_alone_is_shown_where_it_does_not_fit_with_what_belongs_to_it() -> None:
    messages = said(("b", "Where " + "word " * 15 + "is it?", 0), ("a", "Under the pot.", 1))

    assert excerpts_of(messages, 20, budget=8) == [["Under the pot."]]
    assert excerpts_of(messages, 20, budget=3) == []


def test_long_neighbour_is_cut_and_one_that_is_found_too_is_not() -> None:
    messages = said(("a", "Where is it?", 0), ("b", "under " * 90, 1))

    assert len(excerpts_of(messages, 10)[0][1]) <= BESIDE_CHARACTERS
    assert len(excerpts_of(messages, 10, 20)[0][1]) > BESIDE_CHARACTERS


def test_message_that_is_gone_is_left_out() -> None:
    messages = said(("a", "one apple", 0))
    (found,) = found_at([Hit(10, 1.0, "")], documents_of(messages), before=99)

    assert not Excerpts({}, WordTokens(), 100).take(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("I am here. Where are you?", True), ("どこにいますか", True), ("It rains. It pours.", False), ("wo ist der Schlüssel", True)],
)
def test_text_asks_when_one_of_its_sentences_does(text: str, expected: bool) -> None:
    assert asks(text) is expected
