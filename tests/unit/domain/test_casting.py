"""Shifts are kept as one line, hold by the clock of their zone, and broken ones count for nothing."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.casting import GUESTS, guests_around, guests_text, has_guests, on_duty, shifts_in, shifts_text
from bot.domain.placement import setting_at

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


def test_guests_are_those_of_the_narrowest_place_that_has_a_list_of_its_own() -> None:
    settings = {GUESTS: "rose tom", setting_at(GUESTS, "lounge"): guests_text(()), setting_at(GUESTS, "kitchen"): guests_text(["rose"])}

    assert [guests_around(settings, (place, "")) for place in ("lounge", "kitchen", "garden")] == [(), ("rose",), ("rose", "tom")]
    assert (has_guests(settings), has_guests({"persona.hours": "x"})) == (True, False)
