from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.domain.persona import Timestamps
from bot.prompt.stamps import stamp

SENT = datetime(2025, 9, 20, 14, 30, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        pytest.param(timedelta(hours=2, minutes=15), "[Sent 2 hours, 15 minutes ago] ", id="hours and minutes"),
        pytest.param(timedelta(minutes=1, seconds=30), "[Sent 1 minute ago] ", id="one minute"),
        pytest.param(timedelta(days=3, hours=1, minutes=9), "[Sent 3 days, 1 hour ago] ", id="the two largest units"),
        pytest.param(timedelta(days=3, minutes=9), "[Sent 3 days ago] ", id="no gap between units"),
        pytest.param(timedelta(seconds=59), "[Sent just now] ", id="just now"),
        pytest.param(timedelta(seconds=-59), "[Sent just now] ", id="a clock that goes wrong"),
    ],
)
def test_relative_time_is_how_long_ago_it_was(later: timedelta, expected: str) -> None:
    assert stamp(Timestamps.RELATIVE, SENT, SENT + later, ZoneInfo("UTC")) == expected


def test_absolute_time_is_that_of_the_persona() -> None:
    assert stamp(Timestamps.ABSOLUTE, SENT, SENT, ZoneInfo("Europe/Berlin")) == "(Saturday, 2025-09-20 16:30:05) "


def test_persona_that_is_to_see_no_times_sees_none() -> None:
    assert stamp(Timestamps.NONE, SENT, SENT, ZoneInfo("UTC")) == ""
