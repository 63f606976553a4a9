import pytest

from bot.domain.message import Person
from bot.memory.search.languages import ENGLISH, JAPANESE, language
from bot.memory.search.people import in_first_person, named, without_names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("Ana", "What did ANA say?", id="case"),
        pytest.param("xX_ana_Xx", "What did Ana say?", id="decorated"),
        pytest.param("Lena", "Lenas Schwester", id="German owner"),
        pytest.param("さくら", "What did Sakura cook?", id="kana in Latin letters"),
        pytest.param("Dan", "ダンの弟の名前は？", id="Latin letters in katakana"),
        pytest.param("Sakura", "さくらはどこ？", id="Latin letters in hiragana"),
        pytest.param("José", "¿Dónde vive José?", id="accent"),
        pytest.param("C++ (wizard)", "Ask Wizard", id="signs of patterns"),
    ],
)
def test_a_name_is_known_however_it_is_written(name: str, text: str) -> None:
    assert [one.person.display_name for one in named(text, [Person("1", name)])] == [name]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("Ana", "banana bread", id="inside a word"),
        pytest.param("Ana", "あなたは？", id="hiragana inside a word"),
        pytest.param("Dan", "ダンス", id="katakana inside a word"),
        pytest.param("Mark", "mark my words", id="a word"),
        pytest.param("!!!", "!!!", id="no letters"),
        pytest.param("X", "x marks the spot", id="one letter"),
    ],
)
def test_what_is_no_name_names_nobody(name: str, text: str) -> None:
    assert named(text, [Person("1", name)]) == []


def test_services_are_nobody() -> None:
    assert named("Ask Channel", [Person("1", "Channel", is_service=True)]) == []


def test_people_say_i_of_themselves() -> None:
    ana = named("Did Ana take Ana's keys to her car?", [Person("1", "Ana")])

    assert in_first_person("Did Ana take Ana's keys to her car", ana, ENGLISH) == "Did I take my keys to my car"
    assert in_first_person("田中さんの猫", named("田中さんの猫", [Person("1", "田中")]), JAPANESE) == "私の猫"
    assert without_names("Did Ana call?", ana) == "Did   call?"


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("What is it?", "I"),
        ("Wie heißt deine Katze?", "ich"),
        ("¿Qué comes?", "yo"),
        ("Où est le chat ?", "je"),
        ("何を食べた？", "私"),
        ("我的猫呢", "我"),
        ("Mochi", "I"),
    ],
)
def test_a_language_is_known_by_its_words(text: str, subject: str) -> None:
    assert language(text).subject == subject
