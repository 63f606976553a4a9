"""spaCy with one of its models, reduced to what finds names. Importing this module takes a second."""

from collections.abc import Iterable, Sequence

import spacy
import structlog
from spacy.language import Language
from spacy.pipeline import TrainablePipe

from bot.domain.entity import EntityKind, EntityMention
from bot.nlp.names import Found, mentions, names_in
from bot.nlp.rules import known_names
from bot.nlp.sentences import Sentences, prose

_KINDS = {
    "PERSON": EntityKind.PERSON,
    "PER": EntityKind.PERSON,
    "GPE": EntityKind.PLACE,
    "LOC": EntityKind.PLACE,
    "FAC": EntityKind.PLACE,
    "ORG": EntityKind.ORGANISATION,
    "EVENT": EntityKind.EVENT,
    "WORK_OF_ART": EntityKind.WORK,
    "PRODUCT": EntityKind.PRODUCT,
}
_NO_NAMES = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
_KEPT = frozenset({"transformer", "tok2vec", "ner"})

log = structlog.get_logger(__name__)


class SpacyModel:
    """A loaded model. Use it from one thread only."""

    def __init__(self, nlp: Language) -> None:
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
        """Return the names in a text, those that the model misses and rules are sure of included."""
        plain = prose(text)
        known = list(known_names(plain))
        introduced = (name for name in known if name.introduced and name.kind is EntityKind.PERSON)
        return mentions(text, [*introduced, *self._found(plain), *known])

    def _found(self, text: str) -> Iterable[Found]:
        for start, end in Sentences(text).pieces():
            # A zone frees the words it met; else the vocabulary would grow with every message.
            with self._nlp.memory_zone():
                spans = [(span.start_char, span.end_char, span.label_) for span in self._nlp(text[start:end]).ents]
            for first, last, label in spans:
                if label not in _NO_NAMES:
                    yield from names_in(text, start + first, start + last, _KINDS.get(label, EntityKind.OTHER))


def load_first(names: Iterable[str]) -> SpacyModel | None:
    """Return the first of the models that loads and finds names, or None; each failure is logged."""
    for name in names:
        try:
            nlp = spacy.load(name, exclude=_superfluous(name))
        except (OSError, ImportError, ValueError) as problem:
            log.warning("spacy_model_unusable", model=name, problem=str(problem))
            continue
        if "ner" not in nlp.pipe_names:
            log.warning("spacy_model_unusable", model=name, problem="it finds no names: it has no part called ner")
            continue
        if not _listens(nlp):
            nlp.select_pipes(enable="ner")
        log.info("spacy_model_loaded", model=name, version=nlp.meta["version"])
        return SpacyModel(nlp)
    return None


def _superfluous(name: str) -> list[str]:
    """Return the parts of a model that do not serve to find names: leaving them out saves time and memory."""
    meta = spacy.util.get_model_meta(spacy.util.get_package_path(name))
    return [part for part in meta.get("pipeline", []) if part not in _KEPT]


def _listens(nlp: Language) -> bool:
    """Return whether the part that finds names works on what another part computes."""
    finder = nlp.get_pipe("ner")
    return isinstance(finder, TrainablePipe) and any("-listener" in node.name for node in finder.model.walk())
