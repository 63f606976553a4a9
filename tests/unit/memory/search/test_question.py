from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.message import Person
from bot.memory.search.kinds import QuestionKind
from bot.memory.search.question import MINOR, Question, asked, expanded

PEOPLE = (Person("1", "Ana"), Person("2", "Bob Miller"), Person("3", "田中"), Person("4", "Will"))
NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def ask(text: str, *, asker: str = "") -> Question:
    return asked(text, now=NOW, zone=UTC, people=PEOPLE, asker=asker)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        pytest.param("When did Ana's sister move to Paris?", "my sister move to Paris", id="owner"),
        pytest.param("What car does Bob drive?", "car I drive", id="subject"),
        pytest.param("Did Ana sell her car?", "Did I sell my car", id="pronoun"),
        pytest.param("What did we do with the cake?", "we do with the cake", id="nobody named"),
        pytest.param("田中さんの猫の名前は何？", "私の猫の名前は", id="Japanese"),
        pytest.param("Wann hat Bobs Schwester geheiratet?", "hat mein Schwester geheiratet", id="German"),
        pytest.param("¿Dónde vive Ana?", "vive yo", id="Spanish"),
        pytest.param("I like tea.", "I like tea", id="no question"),
    ],
)
def test_a_question_is_embedded_as_the_person_would_say_it(text: str, statement: str) -> None:
    assert ask(text).statement == statement


def test_names_dates_and_talking_weigh_little_beside_the_matter() -> None:
    question = ask("Did Ana mention the walnut cake in May?")

    assert question.terms == {"ana": MINOR, "mention": MINOR, "walnut": 1.0, "cak": 1.0, "mai": MINOR}


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        pytest.param("What did ana cook?", {"1"}, id="small letters"),
        pytest.param("Did Miller and Ana meet?", {"1", "2"}, id="two, by a part of the name"),
        pytest.param("田中さんは？", {"3"}, id="Japanese"),
        pytest.param("will it rain?", set(), id="a word that is a name too"),
        pytest.param("Is Will late?", {"4"}, id="that name"),
        pytest.param("Banana bread", set(), id="a name inside a word"),
        pytest.param("Who said that Ana is late?", set(), id="who said it is what is asked"),
    ],
)
def test_the_people_asked_about_are_known_by_their_names(text: str, speakers: set[str]) -> None:
    assert ask(text).speakers == speakers


def test_who_asks_about_themselves_is_meant_when_nobody_else_is_named() -> None:
    assert ask("What is my favourite tea?", asker="2").speakers == {"2"}
    assert ask("What did Ana give me?", asker="2").speakers == {"1"}
    assert ask("What is my favourite tea?", asker="somebody new").speakers == set()
    assert ask("What is the best tea?", asker="2").speakers == set()


def test_what_the_persona_said_is_asked_of_the_persona() -> None:
    question = ask("What did you recommend to me?", asker="2")

    assert question.asks_persona
    assert not question.speakers


def test_days_are_those_of_the_zone() -> None:
    question = asked("What happened yesterday?", now=datetime(2026, 5, 20, 23, tzinfo=UTC), zone=ZoneInfo("Asia/Tokyo"), people=())

    assert question.span is not None
    assert datetime.fromtimestamp(question.span.start, UTC) == datetime(2026, 5, 19, 15, tzinfo=UTC)
    assert question.span.end - question.span.start == 86400
    assert question.span.label == "on 20 May 2026"


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        pytest.param("What did Ana say last Tuesday?", True, id="person and day"),
        pytest.param("What did we talk about last week?", True, id="week"),
        pytest.param("先週何の話をした？", True, id="Japanese"),
        pytest.param("Was hat Bob gestern gesagt?", True, id="German"),
        pytest.param("What did Ana say about cake?", False, id="a matter"),
        pytest.param("Thanks, Ana", False, id="no question"),
    ],
)
def test_a_question_can_ask_for_all_of_a_time_or_a_person(text: str, bare: bool) -> None:
    assert ask(text).is_bare is bare


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("When did she move?", QuestionKind.WHEN, id="when"),
        pytest.param("What year was it?", QuestionKind.WHEN, id="year"),
        pytest.param("猫を飼い始めたのはいつ？", QuestionKind.WHEN, id="when in Japanese"),
        pytest.param("How many dogs are there?", QuestionKind.HOW_MANY, id="how many"),
        pytest.param("Wie viele Hunde gibt es?", QuestionKind.HOW_MANY, id="how many in German"),
        pytest.param("How long have they lived there?", QuestionKind.HOW_LONG, id="how long"),
        pytest.param("Who mentioned the cake?", QuestionKind.WHO_SAID, id="who said"),
        pytest.param("Where is it?", QuestionKind.OTHER, id="other"),
    ],
)
def test_a_question_wants_a_sort_of_answer(text: str, kind: QuestionKind) -> None:
    assert ask(text).kind is kind


def test_all_postings_that_can_count_are_wanted() -> None:
    question = ask("When did they go to Lisbon?")

    assert {"go", "went", "lisbon", "yesterdai"} <= question.wanted


def test_words_that_only_ask_are_not_searched_for() -> None:
    assert set(ask("¿Cuándo fue Ana a la playa?").terms) == {"ana", "playa"}
    assert set(ask("Wie heißt denn die Katze von Lena?").terms) == {"heisst", "katz", "lena"}
    assert "何" not in ask("猫の名前は何？").terms


def test_words_of_a_message_that_has_no_others_stay() -> None:
    assert set(ask("die hat").terms) == {"di", "hat"}


def test_aliases_take_part_with_their_weight_and_change_nothing_else() -> None:
    question = ask("Where does Mochi hide?")

    wider = expanded(question, {"Moggy Cat": 0.3, "Mochi": 0.1})

    assert wider.terms == {**question.terms, "moggi": 0.3, "cat": 0.3}
    assert wider.words["moggi"] == "Moggy"
    assert wider.statement == question.statement
