from dataclasses import fields
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from bot.conversation.windows import MOST_KEPT
from bot.domain.limits import GENEROUS, LIMITS, Limits, day_of, in_force, month_of, read_limit, set_here


def test_every_limit_has_its_rule() -> None:
    assert list(LIMITS) == [field.name for field in fields(Limits)]
    assert all(LIMITS[name].most <= MOST_KEPT for name in ("person", "conversation", "server", "bots"))


@pytest.mark.parametrize(
    ("house", "here", "holds"),
    [
        pytest.param(10, "", 10, id="house alone"),
        pytest.param(10, "3", 3, id="tighter here"),
        pytest.param(10, "100", 10, id="no wider than the house"),
        pytest.param(0, "3", 3, id="here alone"),
        pytest.param(10, "0", 10, id="nothing set"),
        pytest.param(10, "soon", 10, id="broken"),
        pytest.param(0, "", 0, id="no limit"),
    ],
)
def test_the_tighter_of_house_and_server_holds(house: int, here: str, holds: int) -> None:
    assert in_force(Limits(person=house), {"limits.person": here, "memory.preset": "seed"}).person == holds


def test_other_bots_are_answered_only_where_admins_and_the_house_want_it() -> None:
    assert in_force(GENEROUS, {}).bots == 0
    assert in_force(GENEROUS, {"limits.bots": "3"}).bots == 3
    assert in_force(GENEROUS, {"limits.bots": "50"}).bots == 5
    assert in_force(Limits(), {"limits.bots": "3"}).bots == 0


@pytest.mark.parametrize(("typed", "value"), [("5", 5), (" 1,000 ", 1000), ("0", 0)])
def test_a_number_is_read_as_people_write_it(typed: str, value: int) -> None:
    assert read_limit("person", typed) == value


@pytest.mark.parametrize("typed", ["1_000_000", "1.000.000", "1 000 000", "1'000'000", "1000000"])
def test_millions_are_read_as_people_write_them(typed: str) -> None:
    assert read_limit("tokens_day", typed) == 1_000_000


@pytest.mark.parametrize("typed", ["", "-1", "1001", "1.5", "many", "９" * 20, "²"])
def test_anything_else_is_refused_with_what_is_allowed(typed: str) -> None:
    with pytest.raises(ValueError, match="from 0 to 1,000"):
        read_limit("person", typed)


def test_what_is_set_here_is_known_by_name() -> None:
    assert set_here({"limits.server": "7", "limits.person": "x", "limits.nothing": "1", "access.deny.user:1": "1"}) == {"server": 7}


def test_days_and_months_are_those_of_utc() -> None:
    late = datetime(2026, 12, 31, 23, 30, tzinfo=timezone(timedelta(hours=-3)))

    assert day_of(late) == (date(2027, 1, 1), datetime(2027, 1, 2, tzinfo=UTC))
    assert month_of(late) == (date(2027, 1, 1), datetime(2027, 2, 1, tzinfo=UTC))
    assert month_of(datetime(2026, 1, 30, tzinfo=UTC))[1] == datetime(2026, 2, 1, tzinfo=UTC)
