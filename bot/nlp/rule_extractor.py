"""Names by rules alone, for when no model is installed. Careful: it would rather miss a name than make one up."""

from collections.abc import Sequence

from bot.domain.entity import EntityMention
from bot.nlp.names import mentions
from bot.nlp.reading import readable
from bot.nlp.rules import capitalised_names, known_names
from bot.nlp.sentences import prose


class RuleExtractor:
    """Fulfils `bot.ports.extractor.Extractor` in some microseconds, without a thread."""

    def warm_up(self) -> None:
        """Load nothing."""

    async def extract(self, text: str) -> Sequence[EntityMention]:
        """Return the names that the rules find."""
        return find_by_rules(readable(text))

    async def close(self) -> None:
        """Free nothing."""


def find_by_rules(text: str) -> Sequence[EntityMention]:
    """Return the names in a text that has been made readable."""
    plain = prose(text)
    return mentions(text, [*known_names(plain), *capitalised_names(plain)])
