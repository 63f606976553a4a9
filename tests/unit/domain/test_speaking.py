from dataclasses import fields
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from bot.domain.placement import places_around
from bot.domain.speaking import (
    RULES,
    USUAL,
    QuietHours,
    Speaking,
    SpeakMode,
    place_of_setting,
    speaking_at,
    with_value,
    written,
)
from bot.testing.factories import GROUP

BERLIN = ZoneInfo("Europe/Berlin")
PLACES = places_around(GROUP, "halls")


def test_every_value_has_its_rule() -> None:
    assert set(RULES) == {field.name for field in fields(Speaking)}


def test_the_narrowest_place_counts() -> None:
    settings = {"speak.mode": "every", "speak.mode@halls": "choice", "speak.limit@lounge": "3", "speak.words@attic": "tea"}

    speaking, broken = speaking_at(settings, PLACES)

    assert (speaking.mode, speaking.limit, speaking.words, broken) == (SpeakMode.CHOICE, 3, (), [])
    assert [place_of_setting(settings, name, PLACES) for name in ("mode", "limit", "words")] == ["halls", "lounge", None]


def test_broken_values_are_left_out_and_named() -> None:
    speaking, broken = speaking_at({"speak.mode": "shout", "speak.reacts": "on"}, PLACES)

    assert (speaking.mode, speaking.reacts, broken) == (USUAL.mode, True, ["mode"])


@pytest.mark.parametrize(
    ("name", "typed", "kept"),
    [
        pytest.param("mode", " Every ", "every", id="mode"),
        pytest.param("words", "tea,  Green Tea ,tea", "tea, Green Tea", id="words"),
        pytest.param("words", "off", "off", id="no words"),
        pytest.param("quiet", "11pm - 8 Asia/Tokyo", "23:00-08:00 Asia/Tokyo", id="quiet"),
        pytest.param("quiet", "22:30–6:00", "22:30-06:00 Europe/Berlin", id="usual zone"),
        pytest.param("quiet", "off", "off", id="not quiet"),
        pytest.param("limit", "7", "7", id="limit"),
        pytest.param("streams", "No", "off", id="switch"),
    ],
)
def test_what_is_typed_is_kept_in_one_way(name: str, typed: str, kept: str) -> None:
    speaking = with_value(USUAL, name, typed, zone="Europe/Berlin")

    assert written(speaking, name) == kept
    assert with_value(USUAL, name, kept) == speaking


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        pytest.param("mode", "loud", id="mode"),
        pytest.param("words", " , ", id="no word"),
        pytest.param("words", "x" * 41, id="long word"),
        pytest.param("quiet", "25-8 UTC", id="no time"),
        pytest.param("quiet", "8-8 UTC", id="no span"),
        pytest.param("quiet", "23-8", id="no zone"),
        pytest.param("quiet", "23-8 Europe/Atlantis", id="unknown zone"),
        pytest.param("limit", "0", id="too little"),
        pytest.param("unprompted", "11", id="too much"),
        pytest.param("unprompted", "-1", id="negative"),
        pytest.param("reacts", "maybe", id="switch"),
        pytest.param("voice", "on", id="unknown"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_does(name: str, typed: str) -> None:
    with pytest.raises(ValueError, match=RULES[name].allowed if name in RULES else "choose one of"):
        with_value(USUAL, name, typed)


@pytest.mark.parametrize(
    ("hour", "quiet"),
    [
        pytest.param(22, False, id="before"),
        pytest.param(23, True, id="start"),
        pytest.param(3, True, id="night"),
        pytest.param(8, False, id="end"),
    ],
)
def test_quiet_hours_go_over_midnight(hour: int, quiet: bool) -> None:
    hours = QuietHours(time(23), time(8), BERLIN)

    assert hours.hold(datetime(2026, 11, 30, hour, tzinfo=BERLIN).astimezone(UTC)) is quiet


def test_quiet_hours_keep_to_the_clock_on_the_wall_when_it_is_changed() -> None:
    hours = QuietHours(time(1), time(3), BERLIN)

    moments = [datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (22, 23, 0, 1, 2)]
    assert [hours.hold(moment) for moment in moments] == [False, False, True, True, False]
