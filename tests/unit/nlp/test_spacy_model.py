import pytest
from structlog.testing import capture_logs

from bot.domain.entity import EntityKind
from bot.nlp.extractor import DEFAULT_MODELS
from bot.nlp.spacy_model import SpacyModel, load_first


@pytest.fixture(scope="module")
def model() -> SpacyModel:
    found = load_first(DEFAULT_MODELS[-1:])
    assert found is not None
    return found


def test_only_what_finds_names_is_kept(model: SpacyModel) -> None:
    assert model.parts == ["ner"]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Bob said that Carol is coming", "Carol", EntityKind.PERSON),
        ("I want to visit Kyoto", "Kyoto", EntityKind.PLACE),
        ("My sister works at Siemens in Munich", "Siemens", EntityKind.ORGANISATION),
        ("we're going to the World Cup in Brazil", "World Cup", EntityKind.EVENT),
        ("I'm learning Spanish", "Spanish", EntityKind.OTHER),
        ("My cat's name is Mochi", "Mochi", EntityKind.PERSON),
    ],
)
def test_a_name_gets_the_kind_that_the_model_or_its_introduction_gives(model: SpacyModel, text: str, name: str, kind: EntityKind) -> None:
    assert (name, kind) in [(mention.name, mention.kind) for mention in model.find(text)]


@pytest.mark.parametrize("text", ["see you tomorrow at seven", "that is 20 dollars", "the first of May"])
def test_times_and_amounts_are_no_names(model: SpacyModel, text: str) -> None:
    assert model.find(text) == ()


def test_names_are_found_in_all_pieces_of_a_long_text(model: SpacyModel) -> None:
    text = "Alice slept well. " + "Nothing happened then. " * 200 + "We flew to Berlin."

    assert [mention.name for mention in model.find(text)] == ["Alice", "Berlin"]


def test_words_met_in_a_message_do_not_stay_in_memory(model: SpacyModel) -> None:
    model.find("hello")
    before = model.vocabulary

    for number in range(50):
        model.find(f"Xq{number} zr{number} and Vk{number} went out")

    assert model.vocabulary == before


def test_the_first_model_that_loads_is_taken_and_the_others_are_logged() -> None:
    with capture_logs() as logs:
        found = load_first(["xx_not_there", "bot", *DEFAULT_MODELS[-1:]])

    assert found is not None
    assert [(entry["event"], entry["model"]) for entry in logs] == [
        ("spacy_model_unusable", "xx_not_there"),
        ("spacy_model_unusable", "bot"),
        ("spacy_model_loaded", DEFAULT_MODELS[-1]),
    ]


@pytest.mark.parametrize("text", ["Das Wetter ist schön und die Katze schläft", "Der Hund ist im Garten und die Sonne scheint"])
def test_a_german_noun_is_no_name(model: SpacyModel, text: str) -> None:
    assert model.find(text) == ()


def test_japanese_is_left_to_the_rules_where_its_model_is_not_installed(model: SpacyModel) -> None:
    assert [mention.name for mention in model.find("昨日田中さんと東京で会った")] == ["田中", "東京"]
