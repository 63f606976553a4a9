from datetime import timedelta

from bot.conversation.windows import MOST_KEPT, Deadlines, Windows
from bot.testing.clock import START

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)


def test_a_full_window_has_room_again_when_the_first_leaves_it() -> None:
    windows = Windows(MINUTE)
    for second in (0, 10, 20):
        windows.count("ada", START + second * SECOND)

    now = START + 30 * SECOND
    assert windows.full_until("ada", 3, now) == START + MINUTE
    assert windows.full_until("ada", 2, now) == START + MINUTE + 10 * SECOND
    assert windows.full_until("ada", 4, now) is None
    assert windows.full_until("ada", 3, START + MINUTE) is None


def test_no_limit_and_nobody_are_never_full() -> None:
    windows = Windows(MINUTE)
    windows.count("ada", START)

    assert windows.full_until("ada", 0, START) is None
    assert windows.full_until("bo", 1, START) is None


def test_of_very_many_keys_the_one_unheard_of_for_longest_is_forgotten() -> None:
    windows = Windows(MINUTE, most_keys=2)
    for key in ("ada", "bo", "ada", "cy"):
        windows.count(key, START)

    assert windows.full_until("ada", 1, START) is not None
    assert windows.full_until("bo", 1, START) is None


def test_of_one_key_no_more_is_kept_than_the_highest_limit_needs() -> None:
    windows = Windows(MINUTE)
    for _ in range(MOST_KEPT + 5):
        windows.count("ada", START)

    assert windows.full_until("ada", MOST_KEPT, START) == START + MINUTE
    assert windows.full_until("ada", MOST_KEPT + 1, START) is None


def test_a_deadline_holds_until_it_is_over() -> None:
    deadlines = Deadlines(most_keys=2)
    for key in ("ada", "bo", "cy"):
        deadlines.hold(key, START + MINUTE)

    assert deadlines.until("bo", START) == START + MINUTE
    assert deadlines.until("bo", START + MINUTE) is None
    assert deadlines.until("ada", START) is None
