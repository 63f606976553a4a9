"""Token counts from a real encoding."""

from functools import cached_property

from bpe_openai import Encoding, get_encoding


class BpeTokens:
    """A TokenCounter with OpenAI's cl100k encoding, which is loaded at the first count: 0.1 s and 35 MB."""

    def count(self, text: str) -> int:
        """Return how many tokens the text takes; control tokens in it count as plain text."""
        return len(self._encoding.encode_ordinary(text))

    @cached_property
    def _encoding(self) -> Encoding:
        return get_encoding("cl100k_base")
