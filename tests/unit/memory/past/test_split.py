"""Which messages go into which chunk."""

import random

import pytest

from bot.memory.past.split import is_due, sizes


@pytest.mark.parametrize(
    ("costs", "chunk_tokens", "expected"),
    [
        pytest.param([157] * 10, 500, [2, 2, 2, 2, 2], id="small shares"),
        pytest.param([157] * 10, 1000, [5, 5], id="exact shares"),
        pytest.param([10, 10, 5000, 10, 10], 1000, [2, 1, 2], id="one is longer than a chunk"),
        pytest.param([5] * 7, 1000, [7], id="few tokens"),
        pytest.param([0, 0], 1000, [2], id="no tokens"),
        pytest.param([], 1000, [], id="nothing"),
    ],
)
def test_messages_are_shared_out(costs: list[int], chunk_tokens: int, expected: list[int]) -> None:
    assert list(sizes(costs, chunk_tokens)) == expected


def test_every_message_has_one_place_and_no_chunk_of_several_is_too_large() -> None:
    chance = random.Random(6)
    for _ in range(300):
        costs = [chance.choice((3, 20, 157, 900)) for _ in range(chance.randrange(1, 80))]
        limit = chance.choice((100, 500, 1000))

        made = list(sizes(costs, limit))

        assert sum(made) == len(costs)
        assert min(made) > 0
        starts = [sum(made[:index]) for index in range(len(made))]
        assert all(size == 1 or sum(costs[start : start + size]) <= limit for start, size in zip(starts, made, strict=True))


@pytest.mark.parametrize(
    ("costs", "has_new", "due"),
    [
        pytest.param([500, 500], False, True, id="tokens alone"),
        pytest.param([1] * 5, True, True, id="number, and something new"),
        pytest.param([1] * 5, False, False, id="number, and nothing new"),
        pytest.param([1] * 4, True, False, id="too few"),
    ],
)
def test_chunks_are_due_by_tokens_or_by_number(costs: list[int], has_new: bool, due: bool) -> None:
    assert is_due(costs, chunk_tokens=1000, chunk_messages=5, has_new=has_new) is due
