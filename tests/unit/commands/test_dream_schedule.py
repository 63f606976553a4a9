"""Admins choose when a persona dreams, and where it tells of it."""

from datetime import date, time

import pytest

from bot.domain.chat import space_of
from bot.domain.command import CommandCall
from bot.domain.night import diary_setting, schedule_of
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_scope, kind_of
from tests.unit.commands.conftest import Typist

CLUB = a_scope(GROUP)


async def told(typist: Typist, line: str) -> str:
    return (await typist.type(line, conversation=GROUP, admin=True)).text


async def settings(typist: Typist) -> dict[str, str]:
    async with typist.store.read() as tx:
        return dict(await tx.settings.all(*space_of(CLUB.audience)))


async def test_without_a_choice_dreams_come_at_three_in_the_personas_zone(typist: Typist) -> None:
    assert await told(typist, "/dream schedule") == (
        "I dream once a night at 03:00 (UTC). The next dream about this place: 2026-05-04 03:00.\n\n"
        "`/dream schedule 4:30 Europe/Berlin` changes that for this server or direct chat, `/dream off` ends it."
    )


@pytest.mark.parametrize(
    ("line", "schedule", "coming"),
    [
        ("4:30", "04:30 (UTC)", "2026-05-04 04:30"),
        ("11pm", "23:00 (UTC)", "2026-05-03 23:00"),
        ("3:00 asia/tokyo", "03:00 (Asia/Tokyo)", "2026-05-04 03:00"),
        ("Asia/Tokyo", "03:00 (Asia/Tokyo)", "2026-05-04 03:00"),
    ],
)
async def test_a_time_a_zone_or_both_can_be_chosen(typist: Typist, line: str, schedule: str, coming: str) -> None:
    answer = await told(typist, f"/dream schedule {line}")

    assert answer == f"I dream from now on once a night at {schedule}. The next dream about this place: {coming}."
    assert str(schedule_of(await settings(typist), zone="UTC")) == schedule


async def test_a_night_that_was_dreamt_is_not_promised_again(typist: Typist) -> None:
    async with typist.store.write() as tx:
        await tx.nights.claim("night", str(CLUB), date(2026, 5, 3), typist.clock.now())

    assert "The next dream about this place: 2026-05-04 22:00." in await told(typist, "/dream schedule 22:00")


async def test_a_choice_can_be_taken_back(typist: Typist) -> None:
    await told(typist, "/dream schedule 4:30 Asia/Tokyo")

    answer = await told(typist, "/dream schedule reset")

    assert "at 03:00 (UTC)" in answer
    assert await settings(typist) == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("25:00", "“25:00” is no time of day. Type one such as `3:00` or `11pm`, and after it a time zone if you like."),
        ("3:00 Asia/Tokio", "“Asia/Tokio” is no time zone. Did you mean `Asia/Tokyo`?"),
        ("3:00 ../../etc", "“../../etc” is no time zone. Type one such as `Europe/Berlin` or `UTC`."),
    ],
)
async def test_what_is_no_time_or_zone_is_refused_and_changes_nothing(typist: Typist, line: str, said: str) -> None:
    assert await told(typist, f"/dream schedule {line}") == said
    assert await settings(typist) == {}


async def test_dreams_are_switched_off_and_on_for_the_whole_server(typist: Typist) -> None:
    off, shown = await told(typist, "/dream off"), await told(typist, "/dream schedule")
    again = await told(typist, "/dream off")
    on, twice = await told(typist, "/dream on"), await told(typist, "/dream on")

    assert off.startswith("I dream here no more. Memories still fade")
    assert shown == "Dreams are switched off here; they would come at 03:00 (UTC). `/dream on` switches them on."
    assert again == "I do not dream here anyway; `/dream on` changes that."
    assert on == "I dream here again, once a night at 03:00 (UTC). The next dream about this place: 2026-05-04 03:00."
    assert twice == "I dream here already; `/dream schedule` says when."


async def test_in_a_direct_chat_everybody_chooses_for_themselves(typist: Typist) -> None:
    await typist.type("/dream schedule 22:00", asker=ADA)

    ada, bo = [(await typist.type("/dream schedule", asker=asker)).text for asker in (ADA, BO)]

    assert "at 22:00 (UTC)" in ada
    assert "at 03:00 (UTC)" in bo


async def test_the_diary_is_posted_here_or_nowhere(typist: Typist) -> None:
    on = await told(typist, "/dream diary here")
    kept = await settings(typist)
    off = await told(typist, "/dream diary off")

    assert on.startswith("After each dream about this conversation I post a few lines here.")
    assert kept == {diary_setting(CLUB.audience): str(GROUP)}
    assert off == "I keep my dream diary to myself. `/dream report` still shows it."
    assert await settings(typist) == {}
    assert "“there” is no place" in await told(typist, "/dream diary there")


async def test_zones_and_places_are_suggested(typist: Typist) -> None:
    def call(word: str) -> CommandCall:
        return CommandCall(("dream", word), {}, ADA, DIRECT, kind_of(DIRECT))

    zones = await typist.desk.suggest(call("schedule"), "zone", "new york")
    everywhere = await typist.desk.suggest(call("schedule"), "zone", "")
    places = await typist.desk.suggest(call("diary"), "where", "h")
    dry = await typist.desk.suggest(call("now"), "dry", "")

    assert "America/New_York" in [zone.value for zone in zones]
    assert len(everywhere) == 25
    assert [place.value for place in places] == ["here"]
    assert [choice.value for choice in dry] == ["dry"]


def test_the_usual_time_is_three() -> None:
    assert schedule_of({}, zone="UTC").at == time(3)
