import pytest

from bot.domain.locality import LANGUAGE, TIME_ZONE, at_home, has_locality, read_language, read_zone
from bot.testing.factories import a_persona

PLACES = ("lounge/thread", "lounge", "halls", "")


@pytest.mark.parametrize(
    ("settings", "language", "zone"),
    [
        pytest.param({}, "en", "UTC", id="the persona's own"),
        pytest.param({"language": "de", "time_zone": "Europe/Berlin"}, "de", "Europe/Berlin", id="the server's"),
        pytest.param({"language": "de", "language@lounge": "ja"}, "ja", "UTC", id="the narrowest place counts"),
        pytest.param({"time_zone": "Europe/Nowhere"}, "en", "UTC", id="what is no zone is left out"),
    ],
)
def test_a_persona_is_at_home_where_it_speaks(settings: dict[str, str], language: str, zone: str) -> None:
    persona = at_home(a_persona(), settings, PLACES)

    assert (persona.language, persona.time_zone) == (language, zone)


def test_only_settings_of_the_kind_count() -> None:
    assert has_locality({f"{LANGUAGE}@lounge": "de"})
    assert has_locality({TIME_ZONE: "UTC"})
    assert not has_locality({"speak.mode": "every", "languages": "de"})


@pytest.mark.parametrize(("typed", "read"), [("de", "de"), ("pt-BR", "pt-BR"), ("German", None), ("d", None), ("", None)])
def test_a_language_is_read_as_a_tag(typed: str, read: str | None) -> None:
    assert read_language(typed) == read


@pytest.mark.parametrize(
    ("typed", "read"), [("europe/berlin", "Europe/Berlin"), ("america/new york", "America/New_York"), ("Berlin", None)]
)
def test_a_time_zone_is_read_whatever_its_case(typed: str, read: str | None) -> None:
    assert read_zone(typed) == read
