"""What ends a connection for good, and what an error's trace tells."""

import pytest

from bot.platforms.discord.trouble import login_problem, trace_of


@pytest.mark.parametrize("problem", [OSError("no network"), KeyError("id"), TimeoutError()])
def test_passing_trouble_is_no_login_problem(problem: Exception) -> None:
    assert login_problem(problem) is None


def test_trace_names_places_and_kinds_but_no_texts() -> None:
    secret = "4471"
    try:
        try:
            raise KeyError(secret)
        except KeyError as inner:
            raise ExceptionGroup(secret, [inner, ValueError(secret)]) from inner
    except ExceptionGroup as error:
        trace = trace_of(error)

    assert "test_trouble.py" in trace
    assert all(kind in trace for kind in ("KeyError", "ValueError", "ExceptionGroup"))
    assert secret not in trace


def test_no_error_has_no_trace() -> None:
    assert trace_of(None) == ""
