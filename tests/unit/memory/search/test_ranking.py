from datetime import timedelta

import numpy as np
import pytest

from bot.domain.message import Person
from bot.memory.search.question import expanded
from bot.ports.corpus import Likenesses
from tests.unit.memory.search.chat import ANA, BAKU, BOB, NOW, Chat, alike, only

SMALL_TALK = (
    "Good morning everyone",
    "The bus was full again today",
    "I had soup for lunch",
    "My shoes are wet from the rain",
    "Somebody left the lights on",
    "There is a new song on the radio",
    "We should clean the kitchen",
    "The match starts at eight",
)


def a_chat(*told: str, person: Person = ANA) -> Chat:
    """Return a chat in which these things were said among others, each in a session of its own."""
    chat = Chat()
    for number, text in enumerate([*told, *SMALL_TALK]):
        chat.say(person, text, ago=timedelta(days=number + 1))
    chat.turns.sort(key=lambda turn: turn[0])
    return chat


def id_of(chat: Chat, text: str) -> int:
    return next(number for number, turn in enumerate(chat.turns, 1) if turn[2] == text)


def test_a_turn_that_shares_words_is_found_and_says_which() -> None:
    chat = a_chat("Our cat Mochi ran a marathon through the flat")

    (hit, *_) = chat.hits("Did Mochi run marathons?")

    assert hit.id == id_of(chat, "Our cat Mochi ran a marathon through the flat")
    assert hit.reason == "shares the words marathons, Mochi, run"
    assert 0 < hit.score <= 1


@pytest.mark.parametrize(
    "question", ["What is the boiling point of tungsten?", "モンゴルの首都はどこ？", "Explain thermodynamics", "", "???"]
)
def test_a_question_unrelated_to_everything_brings_nothing_back(question: str) -> None:
    chat = a_chat("Our cat Mochi ran a marathon")

    assert chat.hits(question) == []
    assert chat.hits(question, likenesses=alike(len(chat.turns), {3: 0.15})) == []


def test_what_nothing_else_tells_apart_from_chance_is_no_hit_by_meaning() -> None:
    chat = a_chat()

    assert chat.hits("Tungsten?", likenesses=alike(len(chat.turns), {3: 0.9}), background=None) == []


def test_a_turn_in_another_language_is_found_by_its_meaning_alone() -> None:
    chat = a_chat("去年の春に灰色の猫を飼い始めた")
    right = id_of(chat, "去年の春に灰色の猫を飼い始めた")

    hits = chat.hits("When did I get my cat?", likenesses=alike(len(chat.turns), {right: 0.35}))

    assert [hit.id for hit in hits][:1] == [right]
    assert hits[0].reason == "means something similar"


def test_a_single_memory_can_be_found_by_its_meaning() -> None:
    chat = Chat()
    chat.say(ANA, "去年の春に灰色の猫を飼い始めた")

    assert [hit.id for hit in chat.hits("When did I get my cat?", likenesses=alike(1, {1: 0.4}))] == [1]


def test_words_count_where_vectors_are_known_for_some_turns_only() -> None:
    chat = a_chat("Our cat Mochi ran a marathon", "The dentist wants to see me")
    known = only(alike(len(chat.turns), {id_of(chat, "The dentist wants to see me"): 0.12}), [id_of(chat, "The dentist wants to see me")])

    hits = chat.hits("How was Mochi's marathon?", likenesses=known)

    assert hits[0].id == id_of(chat, "Our cat Mochi ran a marathon")


def test_a_memory_of_last_year_is_found_as_well_as_a_fresh_one() -> None:
    fresh, old = Chat(), Chat()
    for chat, days in ((fresh, 1), (old, 400)):
        for number, text in enumerate(SMALL_TALK):
            chat.say(ANA, text, ago=timedelta(days=500 - number))
        chat.say(ANA, "I am allergic to walnuts", ago=timedelta(days=days))
        chat.turns.sort(key=lambda turn: turn[0])
    question = "What am I allergic to?"

    assert old.hits(question)[0].id == id_of(old, "I am allergic to walnuts")
    assert old.hits(question)[0].score == pytest.approx(fresh.hits(question)[0].score)


def test_an_old_turn_that_answers_better_stands_before_a_new_one() -> None:
    chat = Chat()
    chat.say(ANA, "I am allergic to walnuts and hazelnuts", ago=timedelta(days=700))
    chat.say(ANA, "Hazelnuts are on sale", ago=timedelta(hours=5))

    assert chat.ids("Who is allergic to walnuts and hazelnuts?")[0] == 1


def test_of_two_turns_that_fit_alike_the_newer_stands_first() -> None:
    chat = Chat()
    for days in (90, 60, 30):
        chat.say(ANA, "I like green tea", ago=timedelta(days=days))

    assert chat.ids("Who likes green tea?") == [3, 2, 1]


def test_long_replies_of_the_persona_do_not_drown_the_people() -> None:
    chat = Chat()
    lecture = "Hiking in the mountains near Kyoto is lovely: take boots, water, a map and snacks, start early and enjoy the temple views. "
    for number in range(30):
        chat.say(BAKU, lecture * 3 + f"Tip {number}.", ago=timedelta(days=60 - number))
    chat.say(ANA, "I went hiking near Kyoto", ago=timedelta(days=20))
    told = len(chat.turns)

    assert chat.ids("Who went hiking near Kyoto?")[0] == told


def test_what_the_persona_said_is_found_when_it_is_asked_for() -> None:
    chat = a_chat("I want to see temples in Kyoto")
    chat.say(BAKU, "For temples in Kyoto I recommend the early morning", ago=timedelta(hours=3))

    hits = chat.hits("What did you recommend for temples in Kyoto?")

    assert hits[0].id == len(chat.turns)
    assert "said by Baku" in hits[0].reason


def test_an_answer_is_found_by_the_question_before_it() -> None:
    chat = a_chat()
    chat.say(BOB, "Which instrument are you learning these days?", ago=timedelta(days=3))
    chat.say(ANA, "Cello, every evening")

    hits = {hit.id: hit for hit in chat.hits("What instrument is Ana learning?")}

    assert hits[len(chat.turns)].reason == "said by Ana"


def test_nothing_is_lent_from_one_session_to_the_next() -> None:
    together, apart = Chat(), Chat()
    for chat, hours in ((together, 47.9), (apart, 40.0)):
        for number, text in enumerate(SMALL_TALK):
            chat.say(BOB, text, ago=timedelta(days=20 - number))
        chat.say(BOB, "Which instrument do people learn?", ago=timedelta(hours=48))
        chat.say(BOB, "Cello, every evening", ago=timedelta(hours=hours))

    last = len(SMALL_TALK) + 2
    assert last in together.ids("Which instrument do people learn?")
    assert last not in apart.ids("Which instrument do people learn?")


def test_a_neighbour_says_why_it_came_along() -> None:
    chat = a_chat()
    chat.say(BOB, "Which instrument do people learn?", ago=timedelta(days=3))
    chat.say(BOB, "Cello, every evening")

    assert chat.hits("Which instrument do people learn?")[-1].reason == "next to another hit"


def test_who_is_asked_about_stands_before_others_who_said_the_same() -> None:
    chat = a_chat()
    chat.say(BOB, "I bought a red bicycle", ago=timedelta(days=5))
    chat.say(ANA, "I bought a red bicycle", ago=timedelta(days=9))
    chat.turns.sort(key=lambda turn: turn[0])

    for name, person in (("Ana", ANA), ("Bob", BOB)):
        hit = chat.hits(f"What bicycle did {name} buy?")[0]
        assert chat.turns[hit.id - 1][1] == person
        assert f"said by {person.display_name}" in hit.reason


def test_a_person_without_a_word_in_common_does_not_shut_others_out() -> None:
    chat = a_chat("The walnut cake was mine", person=BOB)
    chat.say(ANA, "See you later", ago=timedelta(hours=3))

    assert chat.ids("Did Ana bake the walnut cake?")[0] == id_of(chat, "The walnut cake was mine")


def test_a_time_raises_what_was_said_then() -> None:
    chat = Chat()
    for days in (10, 45, 80):
        chat.say(ANA, "I went swimming in the lake", ago=timedelta(days=days))
    chat.turns.sort(key=lambda turn: turn[0])

    hits = chat.hits("When did we go swimming in April?")

    assert [hit.id for hit in hits] == [2, 3, 1]
    assert "in April 2026" in hits[0].reason


def test_a_question_for_a_person_and_a_day_brings_all_of_that_without_shared_words() -> None:
    chat = Chat()
    chat.say(ANA, "The dentist was kind", ago=timedelta(days=8, hours=1))
    chat.say(ANA, "I bought new curtains", ago=timedelta(days=1, hours=3))
    chat.say(BOB, "Curtains again?")
    chat.say(ANA, "They are green")

    hits = chat.hits("What did Ana say last Tuesday?")

    assert sorted(hit.id for hit in hits) == [2, 4]
    assert {hit.reason for hit in hits} == {"said by Ana; on 19 May 2026"}


@pytest.mark.parametrize("message", ["Thanks Ana!", "See you on Tuesday", "Sleep well, Bob"])
def test_a_message_that_only_names_somebody_asks_for_nothing(message: str) -> None:
    chat = a_chat("The dentist was kind")
    chat.say(BOB, "Curtains again?", ago=timedelta(days=1))

    assert chat.hits(message) == []


def test_what_stands_in_the_prompt_already_is_no_hit_but_lends() -> None:
    chat = a_chat()
    chat.say(BOB, "Cello, every evening", ago=timedelta(days=3))
    chat.say(BOB, "That is the instrument which people learn")
    last = len(chat.turns)

    hits = chat.hits("Which instrument do people learn?", before=last)

    assert hits[0].id == last - 1
    assert last not in [hit.id for hit in hits]
    assert hits[0].reason == "next to another hit"


def test_no_more_come_back_than_asked_for() -> None:
    chat = a_chat("Walnut cake", "Walnut bread", "Walnut ice")

    assert len(chat.ids("walnut", limit=2)) == 2
    assert chat.ids("walnut", limit=0) == []


def test_an_alias_finds_what_bears_the_other_name() -> None:
    chat = a_chat("Moggy hides under the bed")

    question = expanded(chat.question("Where does Mochi hide?"), {"Moggy": 0.5})

    assert chat.hits(question)[0].reason == "shares the words hide, Moggy"


def test_another_form_of_a_word_finds_it() -> None:
    chat = a_chat("We went to Lisbon and ate sardines")

    assert chat.hits("Where did they go to eat sardines?")[0].reason == "shares the words sardines, eat, go"


def test_equal_inputs_give_equal_order() -> None:
    chat = Chat()
    for number in range(50):
        chat.say(ANA if number % 2 else BOB, f"tea with {'sugar' if number % 3 else 'milk'}", ago=timedelta(days=60 - number // 5))

    assert chat.hits("tea with milk", limit=20) == chat.hits("tea with milk", limit=20)


def test_nothing_is_found_where_nothing_is() -> None:
    assert Chat().hits("What did Ana say?") == []


def test_likenesses_that_are_all_the_same_tell_nothing() -> None:
    chat = a_chat("Our cat Mochi ran a marathon")
    flat = Likenesses(np.full(len(chat.turns), 0.1, dtype=np.float32), np.ones(len(chat.turns), dtype=np.bool_))

    assert chat.hits("Tungsten?", likenesses=flat) == []
    assert chat.hits("Tungsten?", likenesses=flat, background=None) == []


def test_a_long_message_finds_what_it_shares_rare_words_with() -> None:
    chat = a_chat("The sourdough starter needs feeding on Mondays")
    message = (
        "So today was long and I am tired, the train stood still for an hour and my phone was empty, but at least I thought of something: "
        "how often does that sourdough starter need feeding when it stands in the fridge?"
    )

    assert chat.ids(message)[0] == id_of(chat, "The sourdough starter needs feeding on Mondays")


def test_now_is_not_needed_to_lie_behind_all_turns() -> None:
    chat = Chat()
    chat.turns.append((NOW + timedelta(hours=1), ANA, "I like green tea"))

    assert chat.ids("Who likes green tea?") == [1]
