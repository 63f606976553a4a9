"""A night comes once a local day, whatever the clocks do."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.night import NightSchedule, due, find_zone, next_night, night_of, read_time, schedule_of

BERLIN = NightSchedule(time(2, 30), ZoneInfo("Europe/Berlin"))
ZONES = st.sampled_from(sorted(available_timezones()))
TIMES = st.times().map(lambda at: at.replace(second=0, microsecond=0))
MOMENTS = st.integers(0, 48 * 365 * 24 * 3600).map(lambda seconds: datetime(1990, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def days_run(schedule: NightSchedule, start: datetime, end: datetime, step: timedelta) -> list[date]:
    """Return the days on which work is done when somebody looks at every step."""
    days: list[date] = []
    now = start
    while now < end:
        day = due(now, schedule, days[-1] if days else None)
        if day is not None:
            days.append(day)
        now += step
    return days


@settings(max_examples=40, deadline=None)
@given(ZONES, TIMES, st.integers(1990, 2037), st.timedeltas(timedelta(), timedelta(hours=1)))
def test_in_every_zone_and_year_each_local_day_has_one_night(zone: str, time_of_day: time, year: int, offset: timedelta) -> None:
    schedule = NightSchedule(time_of_day, ZoneInfo(zone))
    start, end = datetime(year, 1, 1, tzinfo=UTC) + offset, datetime(year + 1, 1, 1, tzinfo=UTC)

    days = days_run(schedule, start, end, timedelta(minutes=50))

    local_days = {(start + timedelta(hours=hours)).astimezone(schedule.zone).date() for hours in range(366 * 24)}
    assert days == sorted(set(days))
    assert {day for day in local_days if days[0] < day < days[-1]} == set(days[1:-1])


@given(ZONES, TIMES, MOMENTS, st.integers(0, 400))
def test_after_any_downtime_one_run_catches_up(zone: str, time_of_day: time, now: datetime, downtime: int) -> None:
    schedule = NightSchedule(time_of_day, ZoneInfo(zone))
    today = due(now, schedule, None)
    assert today is not None

    assert due(now, schedule, today - timedelta(days=downtime + 1)) == today
    assert due(now, schedule, today) is None


@given(ZONES, TIMES, MOMENTS)
def test_the_next_night_is_the_moment_at_which_one_is_due(zone: str, time_of_day: time, now: datetime) -> None:
    schedule = NightSchedule(time_of_day, ZoneInfo(zone))
    today = due(now, schedule, None)

    coming = next_night(now, schedule, today)

    assert now < coming < now + timedelta(hours=51)
    assert due(coming - timedelta(seconds=1), schedule, today) is None
    assert due(coming, schedule, today)
    assert next_night(now, schedule, None) == coming


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        pytest.param("2026-03-29T00:59", date(2026, 3, 28), id="before the clocks jump"),
        pytest.param("2026-03-29T01:29", date(2026, 3, 28), id="jumped over it, not half an hour ago"),
        pytest.param("2026-03-29T01:30", date(2026, 3, 29), id="as much later as they jumped"),
        pytest.param("2026-10-25T00:29", date(2026, 10, 24), id="before the first half past two"),
        pytest.param("2026-10-25T00:30", date(2026, 10, 25), id="the first half past two"),
        pytest.param("2026-10-25T01:30", date(2026, 10, 25), id="the second half past two"),
    ],
)
def test_a_time_that_is_skipped_or_repeated_comes_once(moment: str, day: date) -> None:
    assert due(at(moment), BERLIN, None) == day
    assert due(at(moment), BERLIN, day) is None


def test_a_day_that_a_zone_left_out_has_no_night() -> None:
    samoa = NightSchedule(time(3), ZoneInfo("Pacific/Apia"))

    days = days_run(samoa, at("2011-12-28T00:00"), at("2012-01-02T00:00"), timedelta(minutes=5))

    assert date(2011, 12, 30) not in days
    assert date(2011, 12, 31) in days


def test_a_night_is_reckoned_by_the_local_clock() -> None:
    assert night_of(date(2026, 7, 1), NightSchedule(time(3), ZoneInfo("Asia/Tokyo"))) == at("2026-06-30T18:00")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("03:00", time(3)),
        (" 3 ", time(3)),
        ("3.30", time(3, 30)),
        ("23h15", time(23, 15)),
        ("3 AM", time(3)),
        ("12am", time(0)),
        ("12:05 pm", time(12, 5)),
        ("0:00", time(0)),
        ("24:00", None),
        ("3:60", None),
        ("13 pm", None),
        ("0 am", None),
        ("noon", None),
        ("", None),
        ("-3", None),
    ],
)
def test_a_time_is_read_as_people_type_it(text: str, read: time | None) -> None:
    assert read_time(text) == read


@pytest.mark.parametrize("name", ["", "Asia/Tokio", "../etc", "America", "/etc/localtime", "x\0y"])
def test_what_is_no_zone_is_none(name: str) -> None:
    assert find_zone(name) is None


@pytest.mark.parametrize(
    ("settings_here", "shown"),
    [
        ({}, "03:00 (Asia/Tokyo)"),
        ({"dream.time": "23:15"}, "23:15 (Asia/Tokyo)"),
        ({"dream.zone": "Europe/Berlin"}, "03:00 (Europe/Berlin)"),
        ({"dream.time": "soon", "dream.zone": "Mars"}, "03:00 (Asia/Tokyo)"),
    ],
)
def test_a_servers_own_time_and_zone_go_before_the_personas(settings_here: dict[str, str], shown: str) -> None:
    assert str(schedule_of(settings_here, zone="Asia/Tokyo")) == shown


@pytest.mark.parametrize(
    ("settings", "zone"),
    [
        ({}, "UTC"),
        ({"time_zone": "Asia/Tokyo"}, "Asia/Tokyo"),
        ({"time_zone": "Asia/Tokyo", "dream.zone": "Europe/Berlin"}, "Europe/Berlin"),
        ({"time_zone": "Asia/Nowhere"}, "UTC"),
    ],
)
def test_nights_follow_the_zone_of_the_space_unless_they_have_one_of_their_own(settings: dict[str, str], zone: str) -> None:
    assert schedule_of(settings, zone="UTC").zone.key == zone
