"""Another persona speaks in a place at certain hours, by the clock of a zone, and nowhere else."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.domain.casting import MOST_SHIFTS
from bot.domain.persona import Personas
from bot.memory.speaker import speaker
from bot.testing.factories import GROUP
from tests.unit.commands.conftest import IRIS, ROSE, Typist

THREAD, OTHER = replace(GROUP, thread_id="t1"), replace(GROUP, channel_id="kitchen")
CAST = Personas({IRIS.id: IRIS, ROSE.id: ROSE}, IRIS.id)


async def says(typist: Typist, line: str) -> str:
    return (await typist.type(f"/persona schedule {line}", conversation=GROUP, admin=True)).text


async def test_hours_are_given_hold_in_that_place_and_are_taken_away(typist: Typist) -> None:
    given = await says(typist, "rose 22:00 06:00 Europe/Berlin")
    night, noon = datetime(2026, 5, 3, 21, tzinfo=UTC), datetime(2026, 5, 3, 12, tzinfo=UTC)
    async with typist.store.read() as tx:
        spoke = [(await speaker(tx, CAST, place, at=at)).id for place in (GROUP, THREAD, OTHER) for at in (night, noon)]

    assert given == "**Hours**\n\n- 22:00-06:00 Europe/Berlin: `rose`"
    assert spoke == ["rose", "iris", "rose", "iris", "iris", "iris"]
    assert (await says(typist, "rose off")).startswith("No persona has hours of its own here.")


async def test_a_narrower_choice_goes_over_the_hours_of_a_wider_place(typist: Typist) -> None:
    await says(typist, "rose 00:00 23:59")
    await typist.type("/persona use iris", conversation=THREAD, admin=True)

    async with typist.store.read() as tx:
        at = datetime(2026, 5, 3, 21, tzinfo=UTC)
        assert [(await speaker(tx, CAST, place, at=at)).id for place in (GROUP, THREAD)] == ["rose", "iris"]


@pytest.mark.parametrize("line", ["rose", "rose 22:00", "rose 22:00 22:00", "rose 25:00 06:00", "rose 22:00 06:00 Atlantis"])
async def test_times_that_are_none_are_refused(typist: Typist, line: str) -> None:
    assert (await says(typist, line)).startswith("Write two different times of the day")


async def test_a_place_takes_a_few_of_them(typist: Typist) -> None:
    said = [await says(typist, f"rose 22:00 06:{minute:02}") for minute in range(MOST_SHIFTS + 1)]

    assert said[-1].startswith("A place takes at most 8 of them.")
