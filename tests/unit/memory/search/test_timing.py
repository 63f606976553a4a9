from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.search.timing import Period, dated

TODAY = date(2026, 5, 20)
"""A Wednesday."""


def period(text: str) -> str:
    found = dated(text, TODAY).period
    return found.label if found else ""


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("yesterday", "on 19 May 2026"),
        ("last night", "on 19 May 2026"),
        ("the day before yesterday", "on 18 May 2026"),
        ("this morning", "on 20 May 2026"),
        ("last Tuesday", "on 19 May 2026"),
        ("on Thursday", "on 14 May 2026"),
        ("last week", "from 11 May 2026 to 17 May 2026"),
        ("last weekend", "from 16 May 2026 to 17 May 2026"),
        ("last month", "in April 2026"),
        ("last year", "in 2025"),
        ("in May", "in May 2026"),
        ("in June", "in June 2025"),
        ("May 3rd", "on 3 May 2026"),
        ("on 3 May 2024", "on 3 May 2024"),
        ("December 24", "on 24 December 2025"),
        ("in March 2023", "in March 2023"),
        ("in 2023", "in 2023"),
        ("2025-06-01", "on 1 June 2025"),
        ("three weeks ago", "from 26 April 2026 to 2 May 2026"),
        ("over the last 3 days", "from 17 May 2026 to 20 May 2026"),
        ("am 3. Mai", "on 3 May 2026"),
        ("gestern", "on 19 May 2026"),
        ("letzte Woche", "from 11 May 2026 to 17 May 2026"),
        ("vor drei Tagen", "on 17 May 2026"),
        ("el 5 de enero de 2024", "on 5 January 2024"),
        ("la semana pasada", "from 11 May 2026 to 17 May 2026"),
        ("hace dos semanas", "from 3 May 2026 to 9 May 2026"),
        ("en mayo", "in May 2026"),
        ("先週", "from 11 May 2026 to 17 May 2026"),
        ("先週の火曜日", "on 12 May 2026"),
        ("昨日", "on 19 May 2026"),
        ("5月3日", "on 3 May 2026"),
        ("2023年5月", "in May 2023"),
        ("二週間前", "from 3 May 2026 to 9 May 2026"),
        ("上周二", "on 12 May 2026"),
        ("去年", "in 2025"),
    ],
)
def test_a_date_stands_for_days_that_are_over(text: str, label: str) -> None:
    assert period(text) == label


@pytest.mark.parametrize(
    "text", ["tomorrow", "next May", "in June 2027", "May I ask?", "every Tuesday", "next June", "2000.50 dollars", ""]
)
def test_what_is_to_come_or_no_date_is_no_period(text: str) -> None:
    assert period(text) == ""


def test_what_is_left_of_a_question_is_its_matter() -> None:
    assert dated("What did Ana cook on 3 May 2024?", TODAY).rest == "What did Ana cook  ?"
    assert dated("ＡＮＡは昨日何をした", TODAY).rest == "ＡＮＡは 何をした"
    assert dated("no date", TODAY).rest == "no date"


@given(st.text())
def test_any_text_has_a_period_in_order_or_none(text: str) -> None:
    found = dated(text, TODAY).period

    assert found is None or found.first <= found.last <= TODAY + timedelta(days=366)


@given(st.dates(min_value=date(1950, 1, 1), max_value=TODAY))
def test_a_written_day_is_that_day(day: date) -> None:
    assert dated(f"What was on {day:%Y-%m-%d}?", TODAY).period == Period(day, day, f"on {day.day} {day:%B %Y}")
