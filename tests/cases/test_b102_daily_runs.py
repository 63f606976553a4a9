"""A job at a local time runs once a local day, also in the nights in which the clocks change."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.storage.store import SqlStore
from tests.unit.jobs.stage import a_room, nights_on, remember, set_there

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("start", "clock_at_run"),
    [
        pytest.param(date(2026, 3, 28), "03:30+0200", id="spring, when half past two does not come"),
        pytest.param(date(2026, 10, 24), "02:30+0200", id="autumn, when it comes twice"),
    ],
)
@pytest.mark.parametrize("restarts", [False, True], ids=["one process", "a new process each ring"])
async def test_b102_clock_changes_bring_exactly_one_run_a_local_day(
    store: SqlStore, start: date, clock_at_run: str, restarts: bool
) -> None:
    room, midnight = a_room("lounge"), datetime.combine(start, time(), BERLIN).astimezone(UTC)
    await remember(store, room, at=midnight - timedelta(minutes=1))
    await set_there(store, room, dream_time="2:30", dream_zone="Europe/Berlin")
    nights = nights_on(store, start=midnight)
    ran: list[datetime] = []

    for ring in range(3 * 24 * 4):
        nights = nights_on(store, start=midnight) if restarts else nights
        before = len(nights.dream.times)
        await nights.at(midnight + ring * timedelta(minutes=15))
        ran += [moment.astimezone(BERLIN) for moment in nights.dream.times[before:]]

    assert [moment.date() - start for moment in ran] == [timedelta(days=days) for days in range(3)]
    assert f"{ran[1]:%H:%M%z}" == clock_at_run


async def test_b102_a_run_that_is_asked_for_again_on_its_day_does_nothing(store: SqlStore) -> None:
    room, night = a_room("lounge"), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    await remember(store, room, at=night - timedelta(days=9))
    await set_there(store, room, dream_time="2:30", dream_zone="Europe/Berlin")
    nights = [nights_on(store, start=night) for _ in range(2)]

    for moment in (night, night, night + timedelta(hours=1)):
        for each in nights:
            await each.at(moment)

    assert [len(each.dream.times) for each in nights] == [1, 0]
