"""Relative and absolute dates in facts."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.dates import Span, absolute_spans, are_meant, relative_spans, without_dates

SUNDAY = date(2026, 5, 3)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("tomorrow", date(2026, 5, 4)),
        ("the day after tomorrow", date(2026, 5, 5)),
        ("last night", date(2026, 5, 2)),
        ("today", SUNDAY),
        ("in 3 weeks", date(2026, 5, 24)),
        ("two days ago", date(2026, 5, 1)),
        ("on Friday", date(2026, 5, 8)),
        ("明日", date(2026, 5, 4)),
        ("来週", date(2026, 5, 10)),
    ],
)
def test_relative_date_may_mean_its_day_and_not_one_years_off(text: str, day: date) -> None:
    meant = relative_spans(f"Ada flies {text}", SUNDAY)

    assert are_meant([Span(day, day)], meant)
    assert not are_meant([Span(day.replace(year=2029), day.replace(year=2029))], meant)


@pytest.mark.parametrize("text", ["likes tea", "plays on Fridays", "a todayish thing", "born on 3 May 1990", "weekend", ""])
def test_other_texts_have_no_relative_date(text: str) -> None:
    assert list(relative_spans(text, SUNDAY)) == []


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on 2026-05-04", date(2026, 5, 4), date(2026, 5, 4)),
        ("in 2026-02", date(2026, 2, 1), date(2026, 2, 28)),
        ("2027年", date(2027, 1, 1), date(2027, 12, 31)),
        ("2026年5月4日に", date(2026, 5, 4), date(2026, 5, 4)),
    ],
)
def test_absolute_date_is_read(text: str, first: date, last: date) -> None:
    assert list(absolute_spans(text)) == [Span(first, last)]


@pytest.mark.parametrize("text", ["code 20261", "2026-02-31", "3 May", "1.2026x"])
def test_other_figures_are_no_full_date(text: str) -> None:
    assert [span for span in absolute_spans(text) if span.first == span.last] == []


@given(st.dates(date(1990, 1, 1), date(2099, 12, 31)))
def test_every_iso_date_is_read_and_taken_out(day: date) -> None:
    assert list(absolute_spans(f"flies on {day}")) == [Span(day, day)]
    assert without_dates(f"flies on {day}").split() == ["flies"]


def test_dates_go_with_the_word_before_them() -> None:
    assert without_dates("Ada flies to Oslo in 3 weeks").split() == ["ada", "flies", "to", "oslo"]
    assert without_dates("明日はオスロに行く").split() == ["オスロに行く"]
