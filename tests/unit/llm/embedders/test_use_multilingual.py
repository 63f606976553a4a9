import threading

import numpy as np

from bot.llm.embedders import use_multilingual


def test_it_keeps_to_the_thread_it_is_called_in() -> None:
    before = threading.active_count()
    model = use_multilingual.load()

    vectors = model.embed(["I like tea.", "お茶が好きです。", "The bridge is closed."], as_queries=False)

    assert vectors.shape == (3, 512)
    assert vectors[0] @ vectors[1] > 0.5 > vectors[0] @ vectors[2]
    assert np.array_equal(vectors, model.embed(["I like tea.", "お茶が好きです。", "The bridge is closed."], as_queries=True))
    assert threading.active_count() == before
