"""A model's answer as people get it: reasoning, tags and written calls taken out while it streams in."""

from bot.protocol.reasoning import ReasoningFilter, ReasoningResult, Retraction
from bot.protocol.scanner import VisibleText
from bot.protocol.stamps import StampFilter
from bot.protocol.written_calls import WrittenCall
from bot.protocol.xml_tags import TagParser, TagResult

ReplyPart = TagResult | Retraction | WrittenCall


class ReplyReader:
    """Feed it an answer in pieces; the results are those of a TagParser behind a ReasoningFilter.

    A `Retraction` voids all results before it, tags and written calls included.
    """

    def __init__(self, names: frozenset[str], *, without_body: frozenset[str] = frozenset(), drops_stamps: bool = False) -> None:
        """Take the names of tags as TagParser does, and whether times of sending before the answer are taken out."""
        self._names = names
        self._without_body = without_body
        self._drops_stamps = drops_stamps
        self._reasoning = ReasoningFilter()
        self._begin()

    def feed(self, chunk: str) -> list[ReplyPart]:
        """Return what the answer has come to mean with this piece."""
        return self._read(self._reasoning.feed(chunk))

    def close(self) -> list[ReplyPart]:
        """Return the rest; nothing comes after it."""
        parts = self._read(self._reasoning.close()) + self._shown(self._tags.close())
        rest = self._stamps.close() if self._stamps else ""
        return [*parts, VisibleText(rest)] if rest else parts

    def _begin(self) -> None:
        self._tags = TagParser(self._names, without_body=self._without_body)
        self._stamps = StampFilter() if self._drops_stamps else None

    def _read(self, results: list[ReasoningResult]) -> list[ReplyPart]:
        parts: list[ReplyPart] = []
        for result in results:
            match result:
                case VisibleText():
                    parts += self._shown(self._tags.feed(result.text))
                case Retraction():
                    parts.append(result)
                    self._begin()
                case WrittenCall():
                    parts.append(result)
        return parts

    def _shown(self, results: list[TagResult]) -> list[ReplyPart]:
        """Return the results with what people see of their texts."""
        if self._stamps is None:
            return list(results)
        parts: list[ReplyPart] = []
        for result in results:
            if isinstance(result, VisibleText):
                text = self._stamps.feed(result.text)
                parts += [VisibleText(text)] if text else []
            else:
                parts.append(result)
        return parts
