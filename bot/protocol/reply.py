"""A model's answer as people get it: reasoning and tags taken out while it streams in."""

from bot.protocol.reasoning import ReasoningFilter, ReasoningResult, Retraction
from bot.protocol.scanner import VisibleText
from bot.protocol.xml_tags import TagParser, TagResult

ReplyPart = TagResult | Retraction


class ReplyReader:
    """Feed it an answer in pieces; the results are those of a TagParser behind a ReasoningFilter.

    A `Retraction` voids all results before it, tags included.
    """

    def __init__(self, names: frozenset[str], *, without_body: frozenset[str] = frozenset()) -> None:
        """Take the names of tags as TagParser does."""
        self._names = names
        self._without_body = without_body
        self._reasoning = ReasoningFilter()
        self._tags = self._new_parser()

    def feed(self, chunk: str) -> list[ReplyPart]:
        """Return what the answer has come to mean with this piece."""
        return self._read(self._reasoning.feed(chunk))

    def close(self) -> list[ReplyPart]:
        """Return the rest; nothing comes after it."""
        return self._read(self._reasoning.close()) + list(self._tags.close())

    def _read(self, results: list[ReasoningResult]) -> list[ReplyPart]:
        parts: list[ReplyPart] = []
        for result in results:
            match result:
                case VisibleText():
                    parts += self._tags.feed(result.text)
                case Retraction():
                    parts.append(result)
                    self._tags = self._new_parser()
        return parts

    def _new_parser(self) -> TagParser:
        return TagParser(self._names, without_body=self._without_body)
