"""Non-interference: whatever happens in one room changes no byte of what is seen in any other."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.conformance.walls_check import check_walls, compared, emptied, in_memory
from tests.conformance.walls_stage import Seen

HISTORIES = 5
"""On each database; `python -m benchmarks.walls` plays as many as one likes."""


@pytest.mark.timeout(600)
def test_what_happens_behind_a_wall_changes_no_byte_on_this_side(store_url: str) -> None:
    empty = in_memory if store_url.startswith("sqlite") else emptied(store_url)

    check_walls(empty, count=HISTORIES)


SEEN = Seen(["a prompt", "an answer"], Counter({"a dream": 1}))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(SEEN, lines=["a prompt", "another answer"]), id="another answer"),
        pytest.param(replace(SEEN, lines=["a prompt"]), id="an answer less"),
        pytest.param(replace(SEEN, lines=["a prompt", "an answer", "one more"]), id="an answer more"),
        pytest.param(replace(SEEN, at_night=Counter({"another dream": 1})), id="another dream"),
    ],
)
def test_each_kind_of_difference_is_seen(other: Seen) -> None:
    assert compared(SEEN, other)


def test_dreams_behind_the_wall_are_no_difference() -> None:
    assert not compared(replace(SEEN, at_night=Counter({"a dream": 1, "a hidden dream": 2})), SEEN)
