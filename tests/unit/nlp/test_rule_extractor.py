import pytest

from bot.domain.entity import EntityKind
from bot.nlp.rule_extractor import find_by_rules, read_by_rules


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("Das Wetter ist schön und die Katze schläft", [], id="German nouns"),
        pytest.param("Ich habe Anna in Berlin getroffen", ["Anna", "Berlin"], id="German"),
        pytest.param("Nous avons vu Marie à Paris hier", ["Marie", "Paris"], id="French"),
        pytest.param("Ayer vi a Carlos en Madrid con su perro", ["Carlos", "Madrid"], id="Spanish"),
        pytest.param("Paris is rainy.", ["Paris"], id="a town that begins a sentence"),
        pytest.param("昨日、東京で田中さんと会った", ["東京", "田中"], id="Japanese"),
        pytest.param("we saw the Eiffel Tower", ["Eiffel Tower"], id="capitals"),
        pytest.param("a Parisian met Romeo", ["Parisian", "Romeo"], id="begins like a town"),
    ],
)
def test_names_are_found_as_the_language_writes_them(text: str, names: list[str]) -> None:
    assert [mention.name for mention in find_by_rules(text)] == names


def test_a_well_known_town_is_a_place() -> None:
    assert [mention.kind for mention in find_by_rules("Paris is rainy.")] == [EntityKind.PLACE]


def test_names_and_claims_are_read_together() -> None:
    reading = read_by_rules("Anna wohnt in Köln und ich mag Katzen.")

    assert [mention.name for mention in reading.mentions] == ["Anna", "Köln"]
    assert [(claim.subject, claim.predicate, claim.object) for claim in reading.claims] == [
        ("Anna", "lives_in", "Köln"),
        ("", "likes", "Katzen"),
    ]
