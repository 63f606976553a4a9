import pytest

from bot.domain.entity import EntityKind
from bot.nlp.names import MOST_MENTIONS, Found, is_shouted, mentions, names_in


def names(text: str) -> list[str]:
    return [found.name for found in names_in(text, 0, len(text), EntityKind.OTHER)]


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        pytest.param("omg John's dog Rex", ["John", "Rex"], id="lower-case words and possessives part names"),
        pytest.param("the World Cup", ["World Cup"], id="article"),
        pytest.param("New York", ["New York"], id="adjective that belongs to it"),
        pytest.param("Great", [], id="adjective alone"),
        pytest.param("Alice\n\nBob", ["Alice", "Bob"], id="lines"),
        pytest.param("Alice, Bob", ["Alice", "Bob"], id="comma"),
        pytest.param("Mr. Smith", ["Smith"], id="title"),
        pytest.param("Lord of the Rings", ["Lord of the Rings"], id="small words inside"),
        pytest.param("Sinéad O'Brien", ["Sinéad O'Brien"], id="apostrophe inside"),
        pytest.param("Jean-Luc & Co", ["Jean-Luc & Co"], id="hyphen and ampersand"),
        pytest.param("lol ok", [], id="no capital"),
        pytest.param("LMFAO No Way", [], id="small talk only"),
        pytest.param("X", [], id="one letter"),
        pytest.param("A" * 61, [], id="too long"),
        pytest.param("Aa Bb Cc Dd Ee Ff Hh", [], id="too many words"),
        pytest.param("2026 12", [], id="numbers"),
        pytest.param("田中", ["田中"], id="script without capitals"),
    ],
)
def test_a_stretch_of_text_is_reduced_to_the_names_in_it(span: str, expected: list[str]) -> None:
    assert names(span) == expected


def test_a_common_first_name_is_a_person_whatever_the_model_says() -> None:
    (found,) = names_in("Alice", 0, 5, EntityKind.ORGANISATION)

    assert found.kind is EntityKind.PERSON


def test_of_two_that_overlap_the_one_found_first_is_kept() -> None:
    text = "Frank Herbert wrote it."

    found = [Found(0, "Frank Herbert", EntityKind.PERSON), Found(0, "Frank", EntityKind.OTHER)]

    assert [mention.name for mention in mentions(text, found)] == ["Frank Herbert"]


def test_a_name_in_two_spellings_comes_once_as_it_stood_first() -> None:
    text = "PARIS is far. Paris is nice."

    found = [Found(14, "Paris", EntityKind.PLACE), Found(0, "PARIS", EntityKind.PLACE)]

    assert [(mention.name, mention.sentence) for mention in mentions(text, found)] == [("PARIS", "PARIS is far.")]


def test_a_text_full_of_names_gives_a_limited_number() -> None:
    text = " ".join(f"Name{number}," for number in range(200))

    found = list(names_in(text, 0, len(text), EntityKind.OTHER))

    assert len(found) == 200
    assert len(mentions(text, found)) == MOST_MENTIONS


@pytest.mark.parametrize(
    ("text", "shouted"), [("I LOVE IT", True), ("Wow Amazing", True), ("Alice moved to Paris", False), ("Alice", False)]
)
def test_shouting_is_known_by_its_capitals(text: str, shouted: bool) -> None:
    assert is_shouted(text) is shouted
