import asyncio

from bot.ports.trail import follow, on_turn, said_at, turn_here
from bot.testing.clock import START


async def test_a_task_that_is_begun_in_a_turn_belongs_to_it_and_others_do_not() -> None:
    async def which() -> int:
        return turn_here()

    async def take(row: int) -> list[int]:
        follow(row)
        return [turn_here(), await asyncio.create_task(which())]

    first, second = await asyncio.gather(take(1), take(2))

    assert first + second == [1, 1, 2, 2]
    assert turn_here() == 0


def test_what_was_followed_before_is_followed_again_afterwards() -> None:
    with on_turn(7):
        follow(7, START)
        with on_turn():
            assert (turn_here(), said_at()) == (0, None)
            follow(8)
        assert (turn_here(), said_at()) == (7, START)

    assert (turn_here(), said_at()) == (0, None)
