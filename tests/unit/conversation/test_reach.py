import pytest

from bot.conversation.reach import LONGEST_PAUSE, ONE_TRY, Reach
from bot.domain.chat import ConversationKey
from bot.errors import DeliveryDelayed
from bot.testing.clock import FrozenClock

ONE, TWO = (ConversationKey("discord", "1", number) for number in "12")


def away(seconds: float = 5.0) -> DeliveryDelayed:
    return DeliveryDelayed("out of reach", retry_after=seconds, everywhere=True)


def seconds_left(reach: Reach, platform: str = "discord") -> float:
    """Return for how long nothing is tried; 0 when something may."""
    try:
        reach.begin(platform)
    except DeliveryDelayed as delay:
        return delay.retry_after
    return 0.0


def test_trouble_of_one_conversation_holds_up_no_other() -> None:
    reach = Reach(FrozenClock())

    reach.lost(ONE, away())
    reach.lost(ONE, away())

    assert seconds_left(reach) == 0.0


def test_trouble_of_two_is_the_platforms_and_no_other_platforms() -> None:
    reach = Reach(FrozenClock())

    reach.lost(ONE, away())
    reach.lost(TWO, away())

    assert (seconds_left(reach), seconds_left(reach, "telegram")) == (5.0, 0.0)


def test_after_a_pause_one_tries_and_the_others_wait_for_what_comes_of_it() -> None:
    clock = FrozenClock()
    reach = Reach(clock)
    reach.lost(ONE, away())
    reach.lost(TWO, away())
    clock.move(seconds=5)

    assert [seconds_left(reach) for _ in range(3)] == [0.0, 5.0, 5.0]
    reach.lost(ONE, away())
    assert seconds_left(reach) == 5.0
    clock.move(seconds=5)
    assert [seconds_left(reach) for _ in range(2)] == [0.0, 5.0]
    clock.move(seconds=ONE_TRY)
    assert seconds_left(reach) == 0.0  # who tried never told
    reach.found("discord")
    assert [seconds_left(reach) for _ in range(3)] == [0.0, 0.0, 0.0]


def test_a_try_that_tells_nothing_leaves_the_next_to_another() -> None:
    clock = FrozenClock()
    reach = Reach(clock)
    reach.lost(ONE, away())
    reach.lost(TWO, away())
    clock.move(seconds=5)
    reach.begin("discord")

    reach.undecided("discord")

    assert [seconds_left(reach) for _ in range(2)] == [0.0, 5.0]


def test_a_clock_that_is_set_back_makes_no_outage_longer() -> None:
    clock = FrozenClock()
    reach = Reach(clock)
    reach.lost(ONE, away())
    reach.lost(TWO, away())

    clock.move(seconds=-3600)

    assert [seconds_left(reach) for _ in range(2)] == [0.0, 5.0]


def test_the_longer_a_platform_is_away_the_longer_are_the_pauses_between_two_tries() -> None:
    clock = FrozenClock()
    reach = Reach(clock)
    pauses = list[float]()

    for _ in range(6):
        reach.lost(ONE, away())
        pauses.append(reach.lost(TWO, away()).retry_after)
        clock.move(seconds=pauses[-1])

    assert pauses == [5.0, 5.0, 10.0, 20.0, 40.0, LONGEST_PAUSE]


def test_what_a_platform_asks_for_is_kept_to() -> None:
    reach = Reach(FrozenClock())

    assert reach.lost(ONE, away(90.0)).retry_after == 90.0
    assert reach.lost(TWO, away(90.0)).retry_after == 90.0
    with pytest.raises(DeliveryDelayed, match="out of reach") as delay:
        reach.expect("discord")
    assert delay.value.retry_after == 90.0
