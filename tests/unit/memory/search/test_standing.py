import numpy as np
import pytest

from bot.memory.search.standing import REFERENCES, Background, background, standings
from bot.ports.corpus import Likenesses
from bot.ports.embedder import Vectors


def likenesses(cosines: list[float], *, known: list[bool] | None = None) -> Likenesses:
    return Likenesses(np.array(cosines, np.float32), np.ones(len(cosines), np.bool_) if known is None else np.array(known))


def unit(rows: np.ndarray) -> Vectors:
    vectors: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return vectors


def test_the_background_is_what_everyday_sentences_have_with_each_other() -> None:
    vectors = unit(np.random.default_rng(1).normal(0.5, 1, (len(REFERENCES), 64)))

    found = background(vectors[:1], vectors)

    assert found.mean == pytest.approx(0.2, abs=0.05)
    assert 0.05 < found.spread < 0.2


def test_vectors_of_two_embedders_are_refused() -> None:
    with pytest.raises(ValueError, match="two embedders"):
        background(np.zeros((1, 3), np.float32), np.zeros((5, 4), np.float32))


@pytest.mark.parametrize(("low", "spread"), [pytest.param(0.1, 0.1, id="one model"), pytest.param(0.8, 0.02, id="another")])
def test_a_likeness_stands_out_by_what_is_usual_for_its_model(low: float, spread: float) -> None:
    found = standings(likenesses([low, low + spread, low - spread]), Background(low, spread))

    assert found.among_all == pytest.approx([0, 1, -1], abs=1e-4)


def test_what_is_not_known_does_not_stand_out() -> None:
    found = standings(likenesses([0.9, 0.0], known=[True, False]), Background(0.1, 0.1))

    assert found.among_all[1] == found.among_these[1] == 0


def test_few_texts_are_judged_by_the_background_and_many_by_themselves() -> None:
    few = standings(likenesses([0.5, 0.5]), Background(0.1, 0.1)).among_these
    many = standings(likenesses([0.5] * 1000 + [0.6]), Background(0.1, 0.1)).among_these

    assert few[0] > 1
    assert many[0] < 0.2


@pytest.mark.parametrize("count", [0, 1, 29, 100])
def test_without_a_background_nothing_stands_out_enough(count: int) -> None:
    found = standings(likenesses([0.1] * count + [0.9]), None)

    assert found.among_all.max() < 0.8 / 2 + 0.1
    assert not np.isnan(found.among_these).any()


def test_no_vectors_at_all_are_no_trouble() -> None:
    assert standings(likenesses([0.0, 0.0], known=[False, False]), Background(0.1, 0.1)).among_all.tolist() == [0, 0]
    assert standings(likenesses([]), None).among_all.tolist() == []


def test_references_are_different_sentences() -> None:
    assert len(set(REFERENCES)) == len(REFERENCES) >= 30
