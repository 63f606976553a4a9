"""What can share an answer."""

from collections.abc import Collection, Mapping, Sequence

import pytest

from bot.conversation.work import Work
from bot.domain.load import Left
from bot.domain.message import StoredMessage
from bot.testing.factories import stored


def waiting(*rows: int) -> Sequence[StoredMessage]:
    return [stored(f"line {row}", row=row) for row in rows]


@pytest.mark.parametrize(
    ("passing", "personas", "together"),
    [
        pytest.param((), {}, [1, 2, 3], id="said by anybody"),
        pytest.param((3,), {}, [1, 2], id="the last one by who opted out"),
        pytest.param((1, 2), {}, [1, 2], id="the first ones by who opted out"),
        pytest.param((), {1: "iris", 2: "iris", 3: "otto"}, [1, 2], id="to two personas"),
    ],
)
def test_what_shares_an_answer_comes_first(passing: Collection[int], personas: Mapping[int, str], together: Sequence[int]) -> None:
    work = Work(Left((), waiting(1, 2, 3), frozenset(passing), ""), personas)

    assert [message.id for message in work.together] == together


def test_nothing_that_waits_shares_nothing() -> None:
    assert Work(Left((), (), frozenset(), "")).together == []
