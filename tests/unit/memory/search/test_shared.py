import numpy as np
import pytest

from bot.memory.search.neighbours import with_lent
from bot.memory.search.shared import shared
from tests.unit.memory.search.chat import ANA, BAKU, Chat

NO_SEEDS = np.zeros(0, dtype=np.int64)


def totals(chat: Chat, text: str) -> dict[int, float]:
    question = chat.question(text)
    found = shared(question, chat.documents, chat.postings, NO_SEEDS)
    return {int(place) + 1: float(total) for place, total in zip(found.places, found.total, strict=True)}


def test_a_turn_of_usual_length_with_all_words_covers_the_question() -> None:
    chat = Chat()
    for text in ("walnut cake recipe", "green garden chair", "yellow summer dress"):
        chat.say(ANA, text)
        chat.turns[-1] = (chat.turns[-1][0].replace(year=2000 + len(chat.turns)), *chat.turns[-1][1:])

    assert totals(chat, "walnut cake recipe")[1] == pytest.approx(1, abs=0.01)
    assert totals(chat, "walnut cake spoon")[1] < 0.8


def test_words_that_two_neighbours_share_between_them_add_up() -> None:
    chat = Chat()
    chat.say(ANA, "Which cake do people like?")
    chat.say(ANA, "The one with walnuts")
    for number in range(8):
        chat.say(ANA, f"Something else {number}")

    found = totals(chat, "cake with walnuts")

    assert found[2] > found[1] / 2 > 0
    assert found[4] < found[3] < found[2]
    assert 5 not in found


def test_a_persona_lends_less_to_people_than_they_to_each_other() -> None:
    by_person, by_persona = Chat(), Chat()
    for chat, person in ((by_person, ANA), (by_persona, BAKU)):
        chat.say(person, "walnut cake")
        chat.say(ANA, "lovely")

    assert totals(by_persona, "walnut cake")[2] < totals(by_person, "walnut cake")[2]


def test_a_word_that_stands_nearly_everywhere_makes_no_crowd_to_be_weighed() -> None:
    chat = Chat()
    for number in range(30):
        chat.say(ANA, f"tea {number}")

    question = chat.question("tea 7")
    found = shared(question, chat.documents, chat.postings, NO_SEEDS)

    assert found.terms == ("tea", "7")
    assert len(found.places) == 30


def test_nothing_is_lent_where_there_is_no_bond() -> None:
    values = np.array([1, 0, 0], dtype=np.float32)
    bonds = [np.array([0, 1], dtype=np.float32), np.array([0.5], dtype=np.float32)]

    assert with_lent(values, bonds).tolist() == pytest.approx([1, 0, 0.05])
