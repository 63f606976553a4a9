"""spaCy with its models, each reduced to what is asked of it. Importing this module takes a second."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib.util import find_spec

import spacy
import structlog
from spacy.language import Language as Pipe
from spacy.pipeline import TrainablePipe

from bot.domain.entity import EntityKind, EntityMention
from bot.nlp.labels import KINDS, NO_NAMES
from bot.nlp.language import Language, language_of
from bot.nlp.names import Found, mentions, names_in
from bot.nlp.rule_extractor import claims_by_rules, find_by_rules
from bot.nlp.rules import known_names
from bot.nlp.sentences import Sentences, prose
from bot.nlp.spacy_parser import SpacyParser, load_beside
from bot.ports.extractor import Reading

JAPANESE_MODEL = "ja_ginza"
"""Read with when it is installed."""
_KEPT = frozenset({"transformer", "tok2vec", "ner"})

log = structlog.get_logger(__name__)


class SpacyModel:
    """A loaded model; what it needs beside is loaded when it is first needed. Use it from one thread only."""

    def __init__(self, name: str, nlp: Pipe) -> None:
        self._name = name
        self._nlp = nlp

    @property
    def parts(self) -> list[str]:
        """Return the parts of the model that are at work."""
        return self._nlp.pipe_names

    @property
    def vocabulary(self) -> int:
        """Return how many words it holds in memory."""
        return len(self._nlp.vocab.strings)

    def find(self, text: str) -> Sequence[EntityMention]:
        """Return the names in a text, those that the model misses and rules are sure of included.

        A text in a language that no model here reads is left to the rules: a model of English takes every German noun for a name.
        """
        language = language_of(text)
        nlp = self._nlp if self._nlp.lang in {language.value, Language.OTHER.value} else None
        if language is Language.JAPANESE and nlp is None:
            nlp = self._japanese
        if nlp is None:
            return find_by_rules(text)
        plain = prose(text)
        known = list(known_names(plain))
        introduced = (name for name in known if name.introduced and name.kind is EntityKind.PERSON)
        return mentions(text, [*introduced, *_found(nlp, plain), *known])

    def read(self, text: str) -> Reading:
        """Return the names in a text, and what it claims of them."""
        found = self.find(text)
        if language_of(text) is Language.ENGLISH and self._parser is not None:
            return Reading(found, self._parser.claims(text, found))
        return Reading(found, claims_by_rules(text))

    @cached_property
    def _parser(self) -> SpacyParser | None:
        return load_beside(self._name, self._nlp)

    @cached_property
    def _japanese(self) -> Pipe | None:
        return _loaded(JAPANESE_MODEL) if find_spec(JAPANESE_MODEL) is not None else None


def load_first(names: Iterable[str]) -> SpacyModel | None:
    """Return the first of the models that loads and finds names, or None; each failure is logged."""
    for name in names:
        nlp = _loaded(name)
        if nlp is not None:
            return SpacyModel(name, nlp)
    return None


def _loaded(name: str) -> Pipe | None:
    try:
        nlp = spacy.load(name, exclude=_superfluous(name))
    except (OSError, ImportError, ValueError) as problem:
        log.warning("spacy_model_unusable", model=name, problem=str(problem))
        return None
    if "ner" not in nlp.pipe_names:
        log.warning("spacy_model_unusable", model=name, problem="it finds no names: it has no part called ner")
        return None
    if not _listens(nlp):
        nlp.select_pipes(enable="ner")
    log.info("spacy_model_loaded", model=name, version=nlp.meta["version"])
    return nlp


def _found(nlp: Pipe, text: str) -> Iterable[Found]:
    for start, end in Sentences(text).pieces():
        # A zone frees the words it met; else the vocabulary would grow with every message.
        with nlp.memory_zone():
            spans = [(span.start_char, span.end_char, span.label_) for span in nlp(text[start:end]).ents]
        for first, last, label in spans:
            if label not in NO_NAMES and (nlp.lang != Language.JAPANESE or label in KINDS):
                yield from names_in(text, start + first, start + last, KINDS.get(label, EntityKind.OTHER))


def _superfluous(name: str) -> list[str]:
    """Return the parts of a model that do not serve to find names: leaving them out saves time and memory."""
    meta = spacy.util.get_model_meta(spacy.util.get_package_path(name))
    return [part for part in meta.get("pipeline", []) if part not in _KEPT]


def _listens(nlp: Pipe) -> bool:
    """Return whether the part that finds names works on what another part computes."""
    finder = nlp.get_pipe("ner")
    return isinstance(finder, TrainablePipe) and any("-listener" in node.name for node in finder.model.walk())
