"""What a text claims, by the parser of a spaCy model. It is loaded beside the part that finds names, and shares its words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import spacy
from spacy.language import Language
from spacy.tokens import Span, Token

from bot.domain.claim import Claim
from bot.domain.entity import EntityMention
from bot.nlp.claim_rules import claims_in
from bot.nlp.parse import Sentence, Word, sentence_of
from bot.nlp.sentences import Sentences, prose

_NEEDED = frozenset({"parser", "tagger"})
_SUPERFLUOUS = ["ner", "senter"]


class SpacyParser:
    """A loaded parser. Use it from the thread of the model that it was loaded beside."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp

    def claims(self, text: str, mentions: Sequence[EntityMention]) -> Sequence[Claim]:
        """Return what the text claims of the names in it and of whoever says it."""
        plain, sentences, found = prose(text), Sentences(text), list[Claim]()
        for start, end in sentences.bounds:
            if text[start] == ">":
                continue  # somebody else's words
            with self._nlp.memory_zone():
                for sentence in _sentences(self._nlp, " ".join(plain[start:end].split()), mentions):
                    found += (replace(claim, sentence=sentences.at(start)) for claim in claims_in(sentence))
        return tuple(dict.fromkeys(found))


def load_beside(name: str, names: Language) -> SpacyParser | None:
    """Return the parser of a model; None when it has none for English."""
    nlp = spacy.load(name, exclude=_SUPERFLUOUS, vocab=names.vocab)
    return SpacyParser(nlp) if nlp.lang == "en" and set(nlp.pipe_names) >= _NEEDED else None


def _sentences(nlp: Language, text: str, mentions: Sequence[EntityMention]) -> Iterator[Sentence]:
    for span in nlp(text).sents:
        yield sentence_of(span.text, _words(span), [mention for mention in mentions if mention.name in span.text])


def _words(span: Span) -> Sequence[Word]:
    return [Word(word.text, _lemma(word), word.tag_, word.dep_, word.head.i - span.start, word.idx - span.start_char) for word in span]


def _lemma(word: Token) -> str:
    """Return the basic form; the small model takes `hates` for a form of `hat`."""
    return "hate" if word.lemma_ == "hat" and word.tag_.startswith("VB") else word.lemma_
