"""Shifts are kept as one line, hold by the clock of their zone, and broken ones count for nothing."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.casting import on_duty, shifts_in, shifts_text

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = "22:00-06:00 Europe/Berlin rose"


def test_shifts_are_read_as_they_are_written_and_what_is_broken_is_left_out() -> None:
    shifts = shifts_in(f"{NIGHT}; nonsense; 25:00-26:00 UTC finn; 00:00-12:00 UTC finn")

    assert shifts_text(shifts) == f"{NIGHT}; 00:00-12:00 UTC finn"
    assert shifts_in(shifts_text(shifts)) == shifts


@pytest.mark.parametrize(
    ("moment", "speaks"),
    [
        (datetime(2026, 6, 1, 21, 59, tzinfo=BERLIN), ""),
        (datetime(2026, 6, 1, 22, tzinfo=BERLIN), "rose"),
        (datetime(2026, 3, 29, 3, 30, tzinfo=BERLIN), "rose"),
        (datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1), "rose"),
        (datetime(2026, 10, 25, 6, tzinfo=BERLIN), ""),
    ],
)
def test_a_shift_holds_by_the_clock_of_its_zone_also_when_clocks_are_changed(moment: datetime, speaks: str) -> None:
    assert on_duty(NIGHT, moment) == speaks
