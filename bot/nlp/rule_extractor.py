"""Names and claims by rules alone, for when no model is installed. Careful: it would rather miss a name than make one up."""

from collections.abc import Sequence

from bot.domain.claim import Claim
from bot.domain.entity import EntityMention
from bot.nlp.claim_patterns import claims_by_patterns, placed_names
from bot.nlp.language import Language, language_of
from bot.nlp.names import mentions
from bot.nlp.reading import readable
from bot.nlp.rules import capitalised_names, known_names, places
from bot.nlp.sentences import prose
from bot.ports.extractor import Reading


class RuleExtractor:
    """Fulfils `bot.ports.extractor.Extractor` in some microseconds, without a thread."""

    def warm_up(self) -> None:
        """Load nothing."""

    async def read(self, texts: Sequence[str]) -> Sequence[Reading]:
        """Return the names and claims that the rules find."""
        return [read_by_rules(readable(text)) for text in texts]

    async def close(self) -> None:
        """Free nothing."""


def find_by_rules(text: str) -> Sequence[EntityMention]:
    """Return the names in a text that has been made readable."""
    plain, language = prose(text), language_of(text)
    found = [*known_names(plain), *placed_names(text, language), *places(plain)]
    if language is not Language.GERMAN:  # whose nouns have capitals, too
        found += capitalised_names(plain)
    return mentions(text, found)


def read_by_rules(text: str) -> Reading:
    """Return the names and claims in a text that has been made readable."""
    return Reading(find_by_rules(text), claims_by_rules(text))


def claims_by_rules(text: str) -> Sequence[Claim]:
    """Return what a text claims that has been made readable."""
    return claims_by_patterns(text, language_of(text))
