"""The vectors an endpoint gives: texts with the same words lie near each other."""

import base64
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.emulators.openai.answers import Plain, refusal

_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class EmbeddingRules:
    """What this endpoint takes; change a field to make it another endpoint."""

    size: int = 64
    takes_base64: bool = True
    takes_dimensions: bool = True
    most_texts: int = 2048
    most_words: int = 100_000
    """Of one text."""

    def refuse(self, body: Mapping[str, Any]) -> Plain | None:
        """Return the refusal of a request, None when it is in order."""
        texts = body.get("input")
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
            return refusal(400, "'$.input' is invalid. Please check the API reference.", param="input")
        if len(texts) > self.most_texts:
            return refusal(400, f"batch size {len(texts)} > maximum allowed batch size {self.most_texts}")
        if any(len(text.split()) > self.most_words for text in texts):
            return refusal(400, f"This model's maximum context length is {self.most_words} tokens. Please reduce your prompt: {texts[0]}")
        if body.get("encoding_format") == "base64" and not self.takes_base64:
            return Plain({"detail": [{"loc": ["body", "encoding_format"], "msg": "Input should be 'float'"}]}, 422)
        if "dimensions" in body and not self.takes_dimensions:
            return refusal(400, "Model does not support matryoshka representation, changing output dimensions is not possible.")
        return None

    def answer(self, body: Mapping[str, Any]) -> Plain:
        """Return the vectors of a request."""
        vectors = [vector_of(text, body.get("dimensions", self.size)) for text in body["input"]]
        return embeddings(vectors, as_base64=body.get("encoding_format") == "base64")


def embeddings(vectors: Sequence[Sequence[float]], *, as_base64: bool = False) -> Plain:
    """Return vectors as an endpoint sends them, the last one first: only the index tells whose they are."""
    data = [
        {"object": "embedding", "index": index, "embedding": _packed(vector) if as_base64 else list(vector)}
        for index, vector in enumerate(vectors)
    ]
    return Plain({"object": "list", "data": data[::-1], "model": "test-embedder", "usage": {"prompt_tokens": 1, "total_tokens": 1}})


def vector_of(text: str, size: int) -> list[float]:
    """Return a vector of any length but 0."""
    vector = [0.0] * size
    for word in _WORD.findall(text.casefold()) or [text]:
        vector[zlib.crc32(word.encode()) % size] += 3.0
    return vector


def _packed(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
