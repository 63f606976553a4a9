"""Token counts from a real encoding."""

from functools import cached_property

from bpe_openai import Encoding, get_encoding

from bot.domain.by_text import ByText

_PIECE = 50_000
"""Characters counted at once: the encoding refuses a text of more than 200,000 tokens, and an emoji may be four of them."""
_MOST_COUNTED = 20_000
"""Texts whose counts are kept, in about 3 MB: a turn counts each line of its history several times, and the next turn again."""


class BpeTokens:
    """A TokenCounter with OpenAI's cl100k encoding, which is loaded at the first count: 0.1 s and 35 MB."""

    def __init__(self) -> None:
        self._counted = ByText(self._count, most=_MOST_COUNTED)

    def count(self, text: str) -> int:
        """Return how many tokens the text takes; control tokens in it count as plain text."""
        return self._counted(text)

    def _count(self, text: str) -> int:
        pieces = (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
        return sum(len(self._encoding.encode_ordinary(piece)) for piece in pieces)

    @cached_property
    def _encoding(self) -> Encoding:
        return get_encoding("cl100k_base")
